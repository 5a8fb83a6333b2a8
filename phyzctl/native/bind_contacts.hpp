// The part of the binding that offers contacts.
#pragma once

#include <nanobind/nanobind.h>

void bind_contacts(nanobind::module_ &module);
