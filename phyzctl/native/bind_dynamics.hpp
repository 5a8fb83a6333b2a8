// Adds dynamics to the compiled module.
#pragma once

#include <nanobind/nanobind.h>

void bind_dynamics(nanobind::module_ &module);
