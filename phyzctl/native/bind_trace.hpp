// The part of the binding that offers rows of samples as bytes and text.
#pragma once

#include <nanobind/nanobind.h>

void bind_trace(nanobind::module_ &module);
