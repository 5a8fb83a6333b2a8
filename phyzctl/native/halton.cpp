#include "halton.hpp"

#include <algorithm>
#include <numeric>

#include "pcg64.hpp"

namespace phyzctl {

namespace {

constexpr std::uint64_t told_apart = std::uint64_t{1} << 40; // points whose digits are scrambled
constexpr std::size_t repeated = 4096;   // about as many sums of the lowest digits are kept
constexpr double most = 1.0 - 0x1p-53;

// One digit of a coordinate: what each of its values adds, of those that occur.
using Digit = std::vector<double>;

// The digits that points up to `last` have.
std::vector<Digit> digits_of(std::uint32_t base, const std::vector<std::uint32_t> &entropy,
                             std::uint64_t last) {
  Pcg64 random(entropy.data(), entropy.size());
  std::vector<Digit> digits;
  std::vector<std::uint64_t> drawn(base);
  std::vector<std::size_t> order(base);
  double weight = 1.0;
  for (std::uint64_t points = 1; points < told_apart; points *= base) {
    std::generate(drawn.begin(), drawn.end(), [&random] { return random.next(); });
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto occurring = std::min<std::uint64_t>(base, last / points + 1);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(occurring);
    std::partial_sort(order.begin(), end, order.end(), [&drawn](std::size_t a, std::size_t b) {
      return drawn[a] != drawn[b] ? drawn[a] < drawn[b] : a < b;
    });
    weight /= base;
    Digit digit(occurring);
    std::transform(order.begin(), end, digit.begin(),
                   [weight](std::size_t value) { return weight * static_cast<double>(value); });
    digits.push_back(std::move(digit));
  }
  return digits;
}

// One coordinate of all points, `stride` apart. Sums go from the lowest digit up. Those of the
// `low` lowest digits come again after `sums.size()` points, and the higher digits stay meanwhile.
void fill(const std::vector<Digit> &digits, std::uint64_t first, std::size_t count, double *points,
          std::size_t stride) {
  std::vector<double> sums{0.0};
  std::size_t low = 0;
  for (; low < digits.size() && sums.size() * digits[low].size() <= repeated; ++low) {
    std::vector<double> more;
    for (const double value : digits[low]) {
      for (const double sum : sums) {
        more.push_back(value + sum);
      }
    }
    sums = std::move(more);
  }
  std::vector<double> part(sums.size());
  for (std::size_t done = 0; done < count;) {
    const std::size_t from = (first + done) % sums.size();
    const std::size_t length = std::min(sums.size() - from, count - done);
    std::copy_n(sums.begin() + from, length, part.begin());
    std::uint64_t rest = (first + done) / sums.size();
    for (std::size_t i = low; i < digits.size(); ++i) {
      const double value = digits[i][rest % digits[i].size()];
      rest /= digits[i].size();
      for (std::size_t k = 0; k < length; ++k) {
        part[k] += value;
      }
    }
    for (std::size_t k = 0; k < length; ++k) {
      points[(done + k) * stride] = std::min(part[k], most);
    }
    done += length;
  }
}

std::vector<std::uint32_t> primes(std::size_t wanted) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t number = 2; found.size() < wanted; ++number) {
    const auto divides = [number](std::uint32_t prime) { return number % prime == 0; };
    if (std::none_of(found.begin(), found.end(), divides)) {
      found.push_back(number);
    }
  }
  return found;
}

} // namespace

void halton(const std::vector<std::uint32_t> &seed, std::uint64_t first, std::size_t count,
            std::size_t dimensions, double *points) {
  const std::vector<std::uint32_t> bases = primes(dimensions);
  std::vector<std::uint32_t> entropy = seed;
  entropy.push_back(0);
  for (std::size_t column = 0; column < dimensions; ++column) {
    entropy.back() = static_cast<std::uint32_t>(column);
    fill(digits_of(bases[column], entropy, first + count), first, count, points + column,
         dimensions);
  }
}

} // namespace phyzctl
