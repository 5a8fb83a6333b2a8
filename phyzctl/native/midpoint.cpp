#include "midpoint.hpp"

#include <algorithm>
#include <cmath>

#include "followers.hpp"
#include "runge_kutta.hpp"
#include "smooth_implicit.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

bool is_single(const Dynamics &dynamics, const Actuator &actuator) {
  const bool on_joint = actuator.transmission == Transmission::joint ||
                        actuator.transmission == Transmission::joint_in_parent;
  if (!on_joint) {
    return false;
  }
  const JointType type = dynamics.system.joints[index(actuator.target)].type;
  return type == JointType::hinge || type == JointType::slide;
}

// How many actuators pull on each degree of freedom.
std::vector<int> count_pulls(const Dynamics &dynamics) {
  std::vector<int> pulls(dynamics.velocity_count);
  const std::vector<double> q(dynamics.system.position_count);
  Workspace work(dynamics);
  place(dynamics, q.data(), work);
  for (const Actuator &actuator : dynamics.actuators) {
    visit_levers(dynamics, actuator, q.data(), work,
                 [&](const Lever &lever) { ++pulls[index(lever.velocity)]; });
  }
  return pulls;
}

bool is_alone_on_tendon(const Dynamics &dynamics, const Actuator &actuator) {
  return std::count_if(dynamics.actuators.begin(), dynamics.actuators.end(),
                       [&](const Actuator &other) {
                         return other.transmission == Transmission::tendon &&
                                other.target == actuator.target;
                       }) == 1;
}

// Several that share one limit stay outside: none of them knows what is left to it.
Servo sort(const Dynamics &dynamics, const Actuator &actuator, const std::vector<int> &pulls) {
  if (!(actuator.bias[1] < 0.0) || actuator.gain[1] != 0.0 || actuator.gain[2] != 0.0) {
    return Servo::outside;
  }
  if (is_single(dynamics, actuator)) {
    const JointForces &joint = dynamics.joints[index(actuator.target)];
    if (!joint.force.finite()) {
      return actuator.force.finite() ? Servo::row : Servo::inside;
    }
    return pulls[index(joint.velocity)] == 1 ? Servo::row : Servo::outside;
  }
  if (actuator.transmission != Transmission::tendon) {
    return Servo::outside;
  }
  const Tendon &tendon = dynamics.tendons[index(actuator.target)];
  for (auto k = index(tendon.first_term); k < index(tendon.end_term); ++k) {
    for (const JointForces &joint : dynamics.joints) {
      if (joint.velocity == dynamics.terms[k].velocity && joint.force.finite()) {
        return Servo::outside;
      }
    }
  }
  if (tendon.force.finite()) {
    return is_alone_on_tendon(dynamics, actuator) ? Servo::row : Servo::outside;
  }
  return actuator.force.finite() ? Servo::row : Servo::inside;
}

double ease_of(const Constraints &constraints, const Actuator &actuator) {
  const Dynamics &dynamics = constraints.dynamics;
  const double gear = actuator.gear[0] * actuator.gear[0];
  if (actuator.transmission == Transmission::tendon) {
    return gear * constraints.tendon_mobility[index(actuator.target)];
  }
  if (is_single(dynamics, actuator)) {
    return gear *
           constraints.dof_mobility[index(dynamics.joints[index(actuator.target)].velocity)];
  }
  return 0.0;
}

// theta k: the share of a stiffness that is taken at the step's end.
double late(double stiffness, double ease, double h) {
  const double z = h * h * stiffness * ease;
  return stiffness * z / (z + 4.0);
}

class Step {
public:
  Step(const Constraints &constraints, double h, HeldWork &work, MidpointWork &mine)
      : constraints_(constraints), dynamics_(constraints.dynamics), h_(h), work_(work),
        smooth_(work.smooth), mine_(mine) {}

  // Spinners keep their momentum while drifting: nothing is left of their bias but their weight.
  void leave_spinners() {
    for (const Spinner &spinner : mine_.spinners) {
      const auto body = index(spinner.body);
      const Spatial weight = smooth_.composites[body] * Spatial{{}, -dynamics_.gravity};
      const std::int32_t first = spinner.velocity - (spinner.free ? 3 : 0);
      for (auto d = index(first); d < index(spinner.velocity + 3); ++d) {
        smooth_.total[d] += smooth_.bias[d] - dot(smooth_.motions[d], weight);
      }
    }
  }

  // What `act` has made of servos that become rows is taken back.
  void add_servo_rows() {
    for (std::size_t a = 0; a < dynamics_.actuators.size(); ++a) {
      if (mine_.servos[a] == Servo::row && dynamics_.actuated) {
        add_servo_row(a);
      }
    }
  }

  // M*.
  void soften() {
    std::vector<double> &sum = implicit_sum(dynamics_, h_, smooth_);
    add_springs(sum);
    for (std::size_t a = 0; a < dynamics_.actuators.size(); ++a) {
      const Actuator &actuator = dynamics_.actuators[a];
      if (mine_.servos[a] == Servo::inside && dynamics_.actuated) {
        levers_.clear();
        visit_levers(dynamics_, actuator, smooth_.q.data(), smooth_,
                     [&](const Lever &lever) { levers_.push_back(lever); });
        add_stiffness(late(-actuator.bias[1], mine_.ease[a], h_), sum);
      }
    }
    fold_sum(dynamics_, smooth_);
    mine_.soft = smooth_.factor;
  }

  // a0, in work.acceleration.
  void accelerate() {
    GeneralMatrix &slope = dynamics_.followers.empty() ? mine_.slope : mine_.unfolded;
    bias_derivative(dynamics_, smooth_.v.data(), smooth_, mine_.bias, slope);
    if (!dynamics_.followers.empty()) {
      fold(dynamics_, slope, mine_.slope);
    }
    for (const Spinner &spinner : mine_.spinners) {
      const std::int32_t first = spinner.velocity - (spinner.free ? 3 : 0);
      const Pattern &pattern = dynamics_.pattern;
      for (auto at = pattern.start[index(first)]; at < pattern.start[index(spinner.velocity + 3)];
           ++at) {
        mine_.slope.lower[at] = mine_.slope.upper[at] = 0.0;
      }
    }
    for (std::size_t at = 0; at < mine_.soft.size(); ++at) {
      mine_.matrix.lower[at] = mine_.soft[at] + 0.5 * h_ * mine_.slope.lower[at];
      mine_.matrix.upper[at] = mine_.soft[at] + 0.5 * h_ * mine_.slope.upper[at];
    }
    smooth_.acceleration = smooth_.total;
    fold(dynamics_, smooth_.acceleration.data());
    factorize(dynamics_.pattern, mine_.matrix);
    phyzctl::solve(dynamics_.pattern, mine_.matrix, smooth_.acceleration.data());
  }

  // The nearest acceleration that the rows allow, M* in the place of M.
  SolverReport hold(const SolverOptions &options, const double *warm) {
    if (!work_.holds()) {
      return {};
    }
    multiply_soft(smooth_.acceleration, smooth_.total);
    fold(dynamics_, work_.rows);
    std::swap(smooth_.M, mine_.soft);
    const SolverReport report = slide(options, warm);
    smooth_.acceleration = work_.solver.a;
    stop_slip(dynamics_, work_.rows, constraints_.noslip, smooth_, work_.solver, work_.noslip);
    std::swap(smooth_.M, mine_.soft);
    for (std::size_t d = 0; d < dynamics_.velocity_count; ++d) {
      smooth_.total[d] += work_.solver.force[d];
    }
    return report;
  }

private:
  // Until contacts that slide do so by Coulomb's law, as far as a few solutions lead.
  SolverReport slide(const SolverOptions &options, const double *warm) {
    constexpr int most = 3;
    const double slack = 5e-2 * length(dynamics_.gravity);
    mine_.sliding.begin(work_.rows, warm, slack);
    SolverReport report = minimize(dynamics_, work_.rows, options, warm, smooth_, work_.solver);
    for (int k = 0; k < most && mine_.sliding.again(work_.rows, work_.solver.miss); ++k) {
      mine_.last = work_.solver.a;
      const SolverReport more =
          minimize(dynamics_, work_.rows, options, mine_.last.data(), smooth_, work_.solver);
      report.iterations += more.iterations;
      report.gap = std::max(report.gap, more.gap);
      report.capped = report.capped || more.capped;
    }
    return report;
  }

  void add_springs(std::vector<double> &sum) {
    for (std::size_t j = 0; j < dynamics_.joints.size() && dynamics_.any_stiffness; ++j) {
      const JointForces &joint = dynamics_.joints[j];
      const std::int32_t count = velocity_count(dynamics_.system.joints[j].type);
      for (std::int32_t d = joint.velocity; d < joint.velocity + count; ++d) {
        levers_ = {{d, 1.0}};
        add_stiffness(late(joint.stiffness, constraints_.dof_mobility[index(d)], h_), sum);
      }
    }
    for (std::size_t t = 0; t < dynamics_.tendons.size(); ++t) {
      const Tendon &tendon = dynamics_.tendons[t];
      const double length = smooth_.lengths[t];
      if (length > tendon.rest.high || length < tendon.rest.low) {
        levers_.clear();
        for (auto k = index(tendon.first_term); k < index(tendon.end_term); ++k) {
          levers_.push_back({dynamics_.terms[k].velocity, smooth_.arms[k]});
        }
        add_stiffness(late(tendon.stiffness, constraints_.tendon_mobility[t], h_), sum);
      }
    }
  }

  // h^2 theta k J'J on the left, h theta k J'J v on the right, of what levers_ move.
  void add_stiffness(double late_stiffness, std::vector<double> &sum) {
    if (!(late_stiffness > 0.0)) {
      return;
    }
    double speed = 0.0;
    for (const Lever &lever : levers_) {
      speed += lever.arm * smooth_.v[index(lever.velocity)];
    }
    for (const Lever &lever : levers_) {
      smooth_.total[index(lever.velocity)] -= h_ * late_stiffness * speed * lever.arm;
      for (const Lever &other : levers_) {
        const std::ptrdiff_t at =
            dynamics_.paths.find(index(lever.velocity), index(other.velocity));
        if (other.velocity <= lever.velocity && at >= 0) {
          sum[static_cast<std::size_t>(at)] += h_ * h_ * late_stiffness * lever.arm * other.arm;
        }
      }
    }
  }

  // The force clamp(p - kappa J a, low, high) as one of dry friction about the middle of its bounds.
  void add_servo_row(std::size_t a) {
    const Actuator &actuator = dynamics_.actuators[a];
    Bounds bounds = actuator.force.finite() ? actuator.force : Bounds{-infinity, infinity};
    const std::size_t first = work_.rows.columns.size();
    levers_.clear();
    double speed = 0.0;
    visit_levers(dynamics_, actuator, smooth_.q.data(), smooth_, [&](const Lever &lever) {
      speed += lever.arm * smooth_.v[index(lever.velocity)];
      levers_.push_back(lever);
    });
    std::sort(levers_.begin(), levers_.end(),
              [](const Lever &x, const Lever &y) { return x.velocity > y.velocity; });
    const double stiffness = late(-actuator.bias[1], mine_.ease[a], h_);
    const double kappa = h_ * (h_ * stiffness - actuator.bias[2]);
    if (!(kappa > 0.0) || levers_.empty()) {
      return;
    }
    release(actuator, a, bounds);
    const double wanted = smooth_.asked[a] - h_ * stiffness * speed;
    close(bounds, wanted);
    const double middle = 0.5 * (bounds.low + bounds.high);
    for (const Lever &lever : levers_) {
      work_.rows.columns.push_back(lever.velocity);
      smooth_.total[index(lever.velocity)] += lever.arm * middle;
    }
    Block &block = work_.rows.add(Law::friction, Origin::actuator, a, 1, first);
    block.on_path = levers_.size() == 1;
    for (std::size_t k = 0; k < levers_.size(); ++k) {
      work_.rows.values[block.first_value + k] = levers_[k].arm;
    }
    Row &row = work_.rows.rows[block.first_row];
    row.bound = 0.5 * (bounds.high - bounds.low);
    row.softness = 1.0 / kappa;
    row.target = (wanted - middle) / kappa;
    smooth_.speed_gains[a] = 0.0;
  }

  // Takes the motor's force out of the sum, and narrows the bounds by those of what it pulls on.
  void release(const Actuator &actuator, std::size_t a, Bounds &bounds) {
    Bounds outer{-infinity, infinity};
    if (actuator.transmission == Transmission::tendon) {
      const Bounds &tendon = dynamics_.tendons[index(actuator.target)].force;
      outer = tendon.finite() ? tendon : outer;
      for (const Lever &lever : levers_) {
        smooth_.total[index(lever.velocity)] -= lever.arm * smooth_.pulls[a];
      }
    } else {
      const JointForces &joint = dynamics_.joints[index(actuator.target)];
      const Lever &lever = levers_.front();
      const auto d = index(lever.velocity);
      if (joint.force.finite() && lever.arm != 0.0) {
        const double carried = joint.compensated_by_motors ? smooth_.gravity_compensation[d] : 0.0;
        const double low = (joint.force.low - carried) / lever.arm;
        const double high = (joint.force.high - carried) / lever.arm;
        outer = {std::min(low, high), std::max(low, high)};
        smooth_.total[d] -= smooth_.motors[d] - carried;
      } else {
        smooth_.total[d] -= lever.arm * smooth_.pulls[a];
      }
    }
    bounds = {std::max(bounds.low, outer.low), std::min(bounds.high, outer.high)};
  }

  // Bounds on one side only get another, far from anything that the law may ask for.
  static void close(Bounds &bounds, double wanted) {
    const double far = 1e3 * (1.0 + std::fabs(wanted));
    if (!(bounds.low > -infinity)) {
      bounds.low = std::min(bounds.high, wanted) - far;
    }
    if (!(bounds.high < infinity)) {
      bounds.high = std::max(bounds.low, wanted) + far;
    }
    bounds.high = std::max(bounds.high, bounds.low);
  }

  void multiply_soft(const std::vector<double> &x, std::vector<double> &y) const {
    const Pattern &pattern = dynamics_.pattern;
    std::fill(y.begin(), y.end(), 0.0);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      y[i] += mine_.soft[pattern.start[i]] * x[i];
      for (std::size_t at = pattern.start[i] + 1; at < pattern.start[i + 1]; ++at) {
        const auto j = index(pattern.columns[at]);
        y[i] += mine_.soft[at] * x[j];
        y[j] += mine_.soft[at] * x[i];
      }
    }
  }

  const Constraints &constraints_;
  const Dynamics &dynamics_;
  const double h_;
  HeldWork &work_;
  Workspace &smooth_;
  MidpointWork &mine_;
  std::vector<Lever> &levers_ = mine_.levers;
};

} // namespace

MidpointWork::MidpointWork(const Constraints &constraints)
    : spinners(phyzctl::spinners(constraints.dynamics)), bias(constraints.dynamics),
      unfolded(constraints.dynamics.paths), slope(constraints.dynamics.pattern), matrix(constraints.dynamics.pattern),
      soft(constraints.dynamics.pattern.entries()),
      q(constraints.dynamics.system.position_count), v(constraints.dynamics.velocity_count) {
  const std::vector<int> pulls = count_pulls(constraints.dynamics);
  for (const Actuator &actuator : constraints.dynamics.actuators) {
    servos.push_back(sort(constraints.dynamics, actuator, pulls));
    ease.push_back(ease_of(constraints, actuator));
  }
  levers.reserve(constraints.dynamics.velocity_count + constraints.dynamics.terms.size() + 6);
}

SolverReport step_midpoint(const Constraints &constraints, const ContactWorld *world, double h,
                           const Inputs &acting, const std::uint8_t *active,
                           const SolverOptions &options, const double *warm, HeldWork &work,
                           MidpointWork &mine) {
  const Dynamics &dynamics = constraints.dynamics;
  Workspace &smooth = work.smooth;
  drift(dynamics, mine.spinners, 0.5 * h, smooth.q.data(), smooth.v.data(), mine.q.data(),
        mine.v.data());
  std::swap(smooth.q, mine.q); // the start comes back when all is done
  std::swap(smooth.v, mine.v);
  gather(constraints, world, acting,
         {smooth.q.data(), smooth.v.data(), h, active, nullptr, nullptr, 0}, work);
  Step step(constraints, h, work, mine);
  step.leave_spinners();
  step.add_servo_rows();
  step.soften();
  step.accelerate();
  const SolverReport report = step.hold(options, warm);
  unfold(dynamics, smooth.acceleration.data());
  advance(smooth.v, h, smooth.acceleration, smooth.mean);
  drift(dynamics, mine.spinners, 0.5 * h, smooth.q.data(), smooth.mean.data(),
        smooth.next_q.data(), smooth.next_v.data());
  std::swap(smooth.q, mine.q);
  std::swap(smooth.v, mine.v);
  return report;
}

} // namespace phyzctl
