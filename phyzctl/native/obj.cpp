#include "obj.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace phyzctl {
namespace {

// Words and lines. A backslash before the end of a line makes one of both.
class Words {
public:
  explicit Words(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool more() const { return at_ < end_; }

  bool line_ends() const { return at_ == end_ || *at_ == '\n' || *at_ == '\r'; }

  void skip_blanks() {
    for (std::size_t width = blank(); width > 0; width = blank()) {
      at_ += width;
    }
  }

  // Up to the next blank or the end of the line.
  std::string_view word() {
    const char *begin = at_;
    while (!line_ends() && blank() == 0) {
      ++at_;
    }
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  void next_line() {
    while (!line_ends()) {
      const std::size_t width = blank();
      at_ += width > 0 ? width : 1;
    }
    if (at_ < end_) {
      at_ += *at_ == '\r' && at_ + 1 < end_ && at_[1] == '\n' ? 2 : 1;
    }
  }

  // The letter that begins a line, if a blank follows it; else 0.
  char keyword() {
    skip_blanks();
    if (line_ends()) {
      return 0;
    }
    const char letter = *at_++;
    return !line_ends() && blank() > 0 && *at_ != '\v' && *at_ != '\f' ? letter : '\0';
  }

private:
  // How many characters the blank here has; 0: there is none.
  std::size_t blank() const {
    switch (at_ < end_ ? *at_ : '\0') {
    case ' ':
    case '\t':
    case '\v':
    case '\f':
      return 1;
    case '\\': {
      const auto rest = static_cast<std::size_t>(end_ - at_);
      if (rest > 1 && at_[1] == '\n') {
        return 2;
      }
      return rest > 2 && at_[1] == '\r' && at_[2] == '\n' ? 3 : 0;
    }
    default:
      return 0;
    }
  }

  const char *at_, *end_;
};

std::string_view unsigned_of(std::string_view word) {
  const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-';
  return plus ? word.substr(1) : word;
}

// Beyond the range of double: zero where the first digit that counts stands far behind the point.
double beyond(std::string_view word) {
  const std::size_t digit = word.find_first_of("123456789"), point = word.find('.'),
                    letter = word.find_first_of("eE");
  if (letter != std::string_view::npos) {
    return word.find('-', letter) == std::string_view::npos ? std::numeric_limits<double>::infinity()
                                                             : 0.0;
  }
  return point < digit ? 0.0 : std::numeric_limits<double>::infinity();
}

bool read(std::string_view word, double &number) {
  word = unsigned_of(word);
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc::result_out_of_range) {
    number = beyond(word);
  }
  return error != std::errc::invalid_argument && stop == word.data() + word.size();
}

bool read(std::string_view word, std::int64_t &number) {
  word = unsigned_of(word.substr(0, word.find('/')));
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && stop == word.data() + word.size();
}

class Reader {
public:
  Reader(std::string_view data, ObjDepth depth, bool first_object)
      : data_(data), depth_(depth), first_object_(first_object) {}

  ObjMesh read() {
    if (depth_ == ObjDepth::faces) {
      reserve();
    }
    for (Words words(data_); words.more() && mesh_.status == ObjStatus::ok; words.next_line()) {
      switch (words.keyword()) {
      case 'v':
        if (depth_ != ObjDepth::objects) {
          add_vertex(words);
        }
        break;
      case 'f':
        begin_face(words);
        break;
      case 'o':
      case 'g':
        in_object_ = false;
        break;
      default:
        break;
      }
    }
    if (mesh_.status == ObjStatus::ok && depth_ == ObjDepth::faces) {
      split();
    }
    return std::move(mesh_);
  }

private:
  // Exactly: vectors that grow would take twice as much.
  void reserve() {
    std::size_t vertices = 0, polygons = 0;
    for (Words words(data_); words.more(); words.next_line()) {
      const char letter = words.keyword();
      vertices += letter == 'v' ? 1 : 0;
      polygons += letter == 'f' ? 1 : 0;
    }
    mesh_.vertices.reserve(3 * vertices);
    sizes_.reserve(polygons);
    corners_.reserve(3 * polygons);
  }

  void add_vertex(Words &words) {
    double vertex[3];
    for (double &number : vertex) {
      words.skip_blanks();
      const std::string_view word = words.word();
      if (word.empty()) {
        return fail(ObjStatus::vertex_short, word);
      }
      if (!phyzctl::read(word, number)) {
        return fail(ObjStatus::vertex_word, word);
      }
    }
    if (depth_ == ObjDepth::extent && !mesh_.vertices.empty()) {
      widen(vertex);
      return;
    }
    for (int copies = depth_ == ObjDepth::extent ? 2 : 1; copies > 0; --copies) {
      mesh_.vertices.insert(mesh_.vertices.end(), vertex, vertex + 3);
    }
  }

  void widen(const double (&vertex)[3]) {
    double *low = mesh_.vertices.data(), *high = low + 3;
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], vertex[i]);
      high[i] = std::max(high[i], vertex[i]);
    }
    const bool finite = std::isfinite(vertex[0]) && std::isfinite(vertex[1]) && std::isfinite(vertex[2]);
    if (!finite && mesh_.vertices.size() == 6) {
      mesh_.vertices.insert(mesh_.vertices.end(), vertex, vertex + 3);
    }
  }

  void begin_face(Words &words) {
    if (!in_object_) {
      in_object_ = true;
      ++mesh_.objects;
    }
    if (depth_ == ObjDepth::faces && !(first_object_ && mesh_.objects > 1)) {
      add_face(words);
    }
  }

  void add_face(Words &words) {
    std::size_t count = 0;
    for (words.skip_blanks(); !words.line_ends(); words.skip_blanks(), ++count) {
      const std::string_view word = words.word();
      std::int64_t number = 0;
      if (!phyzctl::read(word, number)) {
        return fail(ObjStatus::face_word, word);
      }
      if (number == 0) {
        return fail(ObjStatus::face_zero, word);
      }
      // A negative number counts back from the last vertex above the face.
      const auto above = static_cast<std::int64_t>(mesh_.vertices.size() / 3);
      const std::int64_t index = number > 0 ? number - 1 : above + number;
      if (index < 0 || index > std::numeric_limits<std::int32_t>::max()) {
        return fail(ObjStatus::face_outside, word);
      }
      corners_.push_back(static_cast<std::int32_t>(index));
    }
    if (count < 3) {
      return fail(ObjStatus::face_short, {});
    }
    sizes_.push_back(static_cast<std::uint32_t>(count));
  }

  void split() {
    const std::size_t vertices = mesh_.vertices.size() / 3;
    for (const std::int32_t corner : corners_) {
      if (static_cast<std::size_t>(corner) >= vertices) {
        return fail(ObjStatus::face_outside, {});
      }
    }
    mesh_.triangles.reserve(3 * (corners_.size() - 2 * sizes_.size()));
    const std::int32_t *polygon = corners_.data();
    for (const std::uint32_t size : sizes_) {
      const std::uint32_t first = size == 4 && squared(polygon[3], polygon[1]) <=
                                                   squared(polygon[2], polygon[0])
                                      ? 1
                                      : 0;
      for (std::uint32_t i = 1; i + 1 < size; ++i) {
        for (const std::uint32_t corner : {first, first + i, first + i + 1}) {
          mesh_.triangles.push_back(polygon[corner % size]);
        }
      }
      polygon += size;
    }
  }

  double squared(std::int32_t a, std::int32_t b) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double apart = mesh_.vertices[3 * static_cast<std::size_t>(a) + i] -
                           mesh_.vertices[3 * static_cast<std::size_t>(b) + i];
      sum += apart * apart;
    }
    return sum;
  }

  void fail(ObjStatus status, std::string_view word) {
    mesh_.status = status;
    mesh_.word = word;
  }

  std::string_view data_;
  ObjDepth depth_;
  bool first_object_;
  bool in_object_ = false; // one with faces
  ObjMesh mesh_;
  std::vector<std::int32_t> corners_;
  std::vector<std::uint32_t> sizes_;
};

} // namespace

ObjMesh read_obj(std::string_view data, ObjDepth depth, bool first_object) {
  return Reader(data, depth, first_object).read();
}

} // namespace phyzctl
