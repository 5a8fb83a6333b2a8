// Actuators that press a body against what it touches.
#pragma once

#include "contact.hpp"
#include "dynamics.hpp"

namespace phyzctl {

// work.adhesion: per such actuator how its force moves each degree of freedom. Along the normals of
// all contacts of its body, in equal shares, those included that don't push yet. After bodies have been
// placed.
void adhere(const Dynamics &dynamics, const ContactPair *pairs, const Contact *contacts,
            std::size_t count, Workspace &work);

} // namespace phyzctl
