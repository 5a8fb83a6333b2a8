// The part of the binding that offers simulation.
#include "bind_simulation.hpp"

#include <nanobind/ndarray.h>

#include "simulation.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using phyzctl::Constraints;
using phyzctl::Simulation;

using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Blocks = nb::ndarray<const double, nb::shape<-1, -1, -1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int32_t, nb::shape<3, -1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<std::int32_t, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::int64_t, nb::c_contig, nb::device::cpu>;

void make_simulation(Simulation *place, const Constraints &constraints,
                     const phyzctl::ContactWorld *world, double h, int integrator,
                     std::size_t iterations, double tolerance, bool warmstart) {
  new (place) Simulation(
      constraints, world, {h, phyzctl::Integrator(integrator), {iterations, tolerance}, warmstart});
}

} // namespace

void bind_simulation(nb::module_ &module) {
  using Released = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Simulation>(module, "Simulation")
      .def("__init__", &make_simulation, "constraints"_a, "world"_a.none(), "h"_a, "integrator"_a, "iterations"_a,
           "tolerance"_a, "warmstart"_a, nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>());
  module.def("simulate", [](const Simulation &of, std::size_t steps, std::size_t every,
                            std::size_t threads, const Blocks &ctrl, const Rows &applied,
                            const Blocks &wrenches, const Flags &active, const Indices &places,
                            const Rows &law, double stiffness, double damping, const Numbers &q,
                            const Numbers &v, const Numbers &act, const Numbers &warm,
                            const Numbers &qs, const Numbers &vs, const Numbers &acts,
                            const Numbers &warms, const Numbers &ctrls, const Numbers &solver,
                            const Counts &made, const Counts &capped, const Integers &status,
                            const Integers &element) {
    const double *pulled = wrenches.shape(1) > 0 ? wrenches.data() : nullptr;
    const std::size_t held = places.shape(1);
    const std::int32_t *at = places.data();
    const double *numbers = law.data();
    const phyzctl::Feedback feedback{held, at, at + held, at + 2 * held, numbers, numbers + held,
                                     numbers + 2 * held, stiffness, damping};
    phyzctl::run(of, {steps, every, ctrl.shape(1), threads, held > 0 ? &feedback : nullptr},
                 q.shape(0),
                 {q.data(), v.data(), act.data(), warm.data(), ctrl.data(), applied.data(), pulled,
                  active.data(), qs.data(), vs.data(), acts.data(), warms.data(), ctrls.data(),
                  solver.data(), made.data(), capped.data(), status.data(), element.data()});
  }, Released());
}
