// Arrays of numpy that own what a vector held.
#pragma once

#include <nanobind/ndarray.h>

#include <cstddef>
#include <utility>
#include <vector>

// Rows of so many columns; with one column, no rows but numbers.
template <class T>
nanobind::ndarray<nanobind::numpy, T> owned(std::vector<T> &&numbers, std::size_t columns = 1) {
  auto *kept = new std::vector<T>(std::move(numbers));
  const nanobind::capsule owner(kept,
                                [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
  const std::size_t shape[2] = {kept->size() / columns, columns};
  return {kept->data(), columns == 1 ? std::size_t{1} : std::size_t{2}, shape, owner};
}
