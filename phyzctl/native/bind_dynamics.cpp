// The part of the binding that offers dynamics.
#include "bind_dynamics.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <string>

#include "dynamics_batch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Vectors = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Blocks = nb::ndarray<const double, nb::shape<-1, -1, -1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using IndexPairs = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using IndexTriples = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::int64_t, nb::c_contig, nb::device::cpu>;

std::string sentence(phyzctl::DynamicsCheck result) {
  const std::string index = "[" + std::to_string(result.index) + "]";
  switch (result.status) {
  case phyzctl::DynamicsStatus::joint_velocity:
    return "v_offset" + index + " does not follow from the joints before it";
  case phyzctl::DynamicsStatus::free_joint:
    return "joint" + index + " is free, but not the only joint of a body on the world";
  case phyzctl::DynamicsStatus::tendon_start:
    return "tendon_start" + index + " does not divide the terms among the tendons in order";
  case phyzctl::DynamicsStatus::term_joint:
    return "term_joint" + index + " is no hinge or slide";
  case phyzctl::DynamicsStatus::step:
    return "step" + index + " leads nowhere: paths go from site to site, around geoms between them";
  case phyzctl::DynamicsStatus::transmission:
    return "actuator_transmission" + index + " is none of 0 to 7";
  case phyzctl::DynamicsStatus::actuator_activation:
    return "actuator_activation" + index + " is of no kind, or not there";
  case phyzctl::DynamicsStatus::follower:
    return "follower_joint" + index + " is no hinge or slide, or follows what follows another";
  case phyzctl::DynamicsStatus::shape:
    return "shape_body" + index + " is not there";
  default:
    return "actuator_target" + index + " is not there";
  }
}

// The door has made sure that the widths agree. The System must outlive it; the binding sees to
// that.
void make_dynamics(phyzctl::Dynamics *place, const phyzctl::System &system, const Vectors &gravity,
                   const Vectors &medium,
                   const Indices &v_offset, const Rows &bodies, const Rows &joints,
                   const Rows &dofs, const Vectors &spring_q, const Rows &tendons,
                   const Indices &tendon_start, const Indices &term_joint,
                   const Vectors &term_coefficient, const Indices &step_start,
                   const IndexTriples &step_body, const Rows &step_frame, const Rows &actuators,
                   const IndexTriples &actuator_target, const IndexTriples &actuator_activation,
                   const IndexPairs &follower_joint, const Rows &follower_line,
                   const Indices &shape_body, const Rows &shapes,
                   std::size_t activations, bool actuated, bool eulerdamp) {
  const phyzctl::DynamicsArrays arrays{
      dofs.shape(0),    tendons.shape(0),      term_joint.shape(0), actuators.shape(0), activations,
      actuated,         eulerdamp,             gravity.data(),   v_offset.data(),       medium.data(), bodies.data(),       joints.data(),
      dofs.data(),      spring_q.data(),       tendons.data(),      tendon_start.data(),
      term_joint.data(), term_coefficient.data(), step_body.shape(0),
      step_start.data(), step_body.data(), step_frame.data(), actuators.data(), actuator_target.data(),
      actuator_activation.data(), follower_joint.shape(0), follower_joint.data(),
      follower_line.data(), shape_body.shape(0), shape_body.data(), shapes.data()};
  const phyzctl::DynamicsCheck result = phyzctl::check(system, arrays);
  if (result.status != phyzctl::DynamicsStatus::ok) {
    throw nb::value_error(sentence(result).c_str());
  }
  new (place) phyzctl::Dynamics(system, arrays);
}

} // namespace

void bind_dynamics(nb::module_ &module) {
  using phyzctl::Dynamics;
  using Released = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Dynamics>(module, "Dynamics")
      .def("__init__", &make_dynamics, "system"_a, "gravity"_a.noconvert(), "medium"_a.noconvert(),
           "v_offset"_a.noconvert(), "bodies"_a.noconvert(), "joints"_a.noconvert(),
           "dofs"_a.noconvert(), "spring_q"_a.noconvert(), "tendons"_a.noconvert(),
           "tendon_start"_a.noconvert(), "term_joint"_a.noconvert(),
           "term_coefficient"_a.noconvert(), "step_start"_a.noconvert(), "step_body"_a.noconvert(),
           "step_frame"_a.noconvert(), "actuators"_a.noconvert(),
           "actuator_target"_a.noconvert(), "actuator_activation"_a.noconvert(),
           "follower_joint"_a.noconvert(), "follower_line"_a.noconvert(),
           "shape_body"_a.noconvert(), "shapes"_a.noconvert(), "activations"_a,
           "actuated"_a, "eulerdamp"_a, nb::keep_alive<1, 2>());
  module.def("mass_matrices", [](const Dynamics &of, const Rows &q, const Numbers &result) {
    phyzctl::mass_matrices(of, q.data(), q.shape(0), result.data());
  }, Released());
  module.def("transmissions", [](const Dynamics &of, const Rows &q, const Numbers &lengths,
                                 const Numbers &moments) {
    phyzctl::transmissions(of, q.data(), q.shape(0), lengths.data(), moments.data());
  }, Released());
  module.def("biases", [](const Dynamics &of, const Rows &q, const Rows &v, const Numbers &result) {
    phyzctl::biases(of, q.data(), v.data(), q.shape(0), result.data());
  }, Released());
  module.def("bias_derivatives", [](const Dynamics &of, const Rows &q, const Rows &v, const Numbers &result) {
    phyzctl::bias_derivatives(of, q.data(), v.data(), q.shape(0), result.data());
  }, Released());
  module.def("jacobians", [](const Dynamics &of, const Rows &q, int body, double x, double y,
                             double z, const Numbers &result) {
    phyzctl::jacobians(of, q.data(), q.shape(0), body, {x, y, z}, result.data());
  }, Released());
  module.def("accelerations", [](const Dynamics &of, const Rows &q, const Rows &v,
                                 const Rows &ctrl, const Rows &applied, const Rows &act,
                                 double h, const Numbers &bias,
                                 const Numbers &passive, const Numbers &motors,
                                 const Numbers &acceleration) {
    phyzctl::accelerations(of, q.data(), v.data(), {ctrl.data(), applied.data(), act.data(), h},
                           q.shape(0), {bias.data(), passive.data(), motors.data(), acceleration.data()});
  }, Released());
  module.def("motor_forces", [](const Dynamics &of, const Rows &q, const Rows &v,
                                const Rows &ctrl, const Rows &act, double h,
                                const Numbers &motors) {
    phyzctl::motor_forces(of, q.data(), v.data(), {ctrl.data(), nullptr, act.data(), h},
                          q.shape(0), motors.data());
  }, Released());
  module.def("muscle_forces", [](const Vectors &gain, const Vectors &bias, double length,
                                 double speed) {
    return std::pair(
        active_force(phyzctl::MuscleCurve::of(gain.data()), length, speed).value,
        passive_force(phyzctl::MuscleCurve::of(bias.data()), length));
  });
  module.def("rollout", [](const Dynamics &of, std::size_t steps, std::size_t every, double h,
                           int integrator, const Blocks &ctrl, const Rows &applied,
                           const Numbers &q, const Numbers &v, const Numbers &qs,
                           const Numbers &vs, const Counts &made) {
    phyzctl::rollout(of, {steps, every, ctrl.shape(1), h, phyzctl::Integrator(integrator)},
                     q.shape(0), {q.data(), v.data(), ctrl.data(), applied.data(), qs.data(),
                                  vs.data(), made.data()});
  }, Released());
}
