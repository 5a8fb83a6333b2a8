// The part of the binding that reads OBJ files.
#pragma once

#include <nanobind/nanobind.h>

void bind_obj(nanobind::module_ &module);
