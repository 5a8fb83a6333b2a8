// Adds constraints to the compiled module.
#pragma once

#include <nanobind/nanobind.h>

void bind_constraint(nanobind::module_ &module);
