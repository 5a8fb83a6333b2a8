// The part of the binding that offers constraints.
#include "bind_constraint.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>

#include <string>

#include "held.hpp"
#include "rows_dense.hpp"
#include "smooth_implicit.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using phyzctl::Constraints;
using phyzctl::Dynamics;

using Vectors = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int32_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<std::int32_t, nb::c_contig, nb::device::cpu>;

// The door has made sure that the widths agree.
void make_constraints(Constraints *place, const Dynamics &dynamics, const Rows &joint_limits,
                      const Rows &joint_friction, const Vectors &dof_friction,
                      const Rows &tendon_limits, const Rows &tendon_friction,
                      const Indices &equality_target, const Rows &equalities,
                      const Vectors &q_reference, int cone, double impratio, bool refsafe,
                      bool diagexact, std::pair<std::size_t, double> noslip) {
  const phyzctl::ConstraintArrays arrays{
      joint_limits.data(),    joint_friction.data(),  dof_friction.data(), tendon_limits.data(),
      tendon_friction.data(), equalities.shape(0),    equality_target.data(), equalities.data(),
      q_reference.data(),     phyzctl::Cone(cone),    impratio,            refsafe,
      diagexact,              {noslip.first, noslip.second}};
  const phyzctl::ConstraintCheck result = phyzctl::check(dynamics, arrays);
  if (result.status != phyzctl::ConstraintStatus::ok) {
    const std::string index = "equality_target[" + std::to_string(result.index) + "]";
    const bool kind = result.status == phyzctl::ConstraintStatus::equality_kind;
    throw nb::value_error((index + (kind ? " is of none of the kinds 0 to 3" : " is not there")).c_str());
  }
  new (place) Constraints(dynamics, arrays);
}

// Contacts as the door has them, each with a law of its own.
struct GivenContacts {
  std::vector<phyzctl::ContactPair> pairs;
  std::vector<phyzctl::Contact> contacts;
};

// `target`: dimension and the two bodies; `laws` and `places`: 17 and 13 numbers.
GivenContacts given(const Indices &target, const Rows &laws, const Rows &places) {
  GivenContacts result;
  for (std::size_t c = 0; c < laws.shape(0); ++c) {
    const std::int32_t *whose = target.data() + 3 * c;
    const double *place = places.data() + 13 * c;
    const auto number = static_cast<std::int32_t>(c);
    const auto law = phyzctl::ContactLaw::of(whose[0], laws.data() + 17 * c);
    result.pairs.push_back({{-1, -1}, {whose[1], whose[2]}, law});
    const auto vec = [place](std::size_t at) {
      return phyzctl::Vec{place[at], place[at + 1], place[at + 2]};
    };
    result.contacts.push_back({number, place[0], vec(1), {vec(4), vec(7), vec(10)}});
  }
  return result;
}

// The rows of one state.
struct RowsAt {
  RowsAt(const Constraints &constraints, const Vectors &q, const Vectors &v, double h,
         const Flags &active, const Indices &target, const Rows &laws, const Rows &places)
      : contacts(given(target, laws, places)), size(constraints.dynamics.velocity_count) {
    phyzctl::Workspace work(constraints.dynamics);
    place(constraints.dynamics, q.data(), work);
    move(constraints.dynamics, v.data(), work);
    work.factor = work.M;
    factorize(constraints.dynamics.pattern, work.factor.data());
    make_rows(constraints,
              {q.data(), v.data(), h, active.data(), contacts.pairs.data(),
               contacts.contacts.data(), contacts.contacts.size()},
              work, rows);
  }

  GivenContacts contacts;
  std::size_t size;
  phyzctl::Rows rows;
};

// The acceleration and the constraints' force at one state; how it was found, in `report`.
void accelerate(const Constraints &constraints, const Vectors &q, const Vectors &v,
                const Vectors &ctrl, const Vectors &applied, const Vectors &warm, double h,
                std::size_t iterations, double tolerance, const Flags &active,
                const Indices &target, const Rows &laws, const Rows &places,
                const Numbers &acceleration, const Numbers &force, const Numbers &report) {
  const GivenContacts contacts = given(target, laws, places);
  phyzctl::HeldWork work(constraints.dynamics, nullptr);
  const phyzctl::SolverReport made = act_held(
      constraints, nullptr, {ctrl.data(), applied.data()},
      {q.data(), v.data(), h, active.data(), contacts.pairs.data(), contacts.contacts.data(),
       contacts.contacts.size()},
      {iterations, tolerance}, warm.data(), work);
  if (!work.holds()) {
    accelerate_damped(constraints.dynamics, 0.0, work.smooth);
  }
  std::copy_n(work.smooth.acceleration.begin(), v.size(), acceleration.data());
  std::fill_n(force.data(), v.size(), 0.0);
  if (work.holds()) {
    std::copy_n(work.solver.force.begin(), v.size(), force.data());
  }
  report.data()[0] = static_cast<double>(made.iterations);
  report.data()[1] = made.gap;
  report.data()[2] = made.capped ? 1.0 : 0.0;
}

} // namespace

void bind_constraint(nb::module_ &module) {
  nb::class_<Constraints>(module, "Constraints")
      .def("__init__", &make_constraints, "dynamics"_a, "joint_limits"_a.noconvert(),
           "joint_friction"_a.noconvert(), "dof_friction"_a.noconvert(),
           "tendon_limits"_a.noconvert(), "tendon_friction"_a.noconvert(),
           "equality_target"_a.noconvert(), "equalities"_a.noconvert(),
           "q_reference"_a.noconvert(), "cone"_a, "impratio"_a, "refsafe"_a, "diagexact"_a,
           "noslip"_a,
           nb::keep_alive<1, 2>());
  nb::class_<RowsAt>(module, "ConstraintRows")
      .def(nb::init<const Constraints &, const Vectors &, const Vectors &, double, const Flags &,
                    const Indices &, const Rows &, const Rows &>())
      .def("__len__", [](const RowsAt &at) { return phyzctl::dense_count(at.rows); })
      .def("write", [](const RowsAt &at, const Numbers &jacobian, const Numbers &residual,
                       const Numbers &target, const Numbers &softness, const Integers &origin,
                       const Integers &source) {
        write_dense(at.rows, at.size, {jacobian.data(), residual.data(), target.data(),
                                       softness.data(), origin.data(), source.data()});
      });
  module.def("accelerate_held", &accelerate);
}
