#include <cmath>

#include "rms_norm/rms_norm.h"

namespace wardlens::portable {
namespace {

// One order of summation for every clone: element i goes to lane i % kLanes, whatever
// the width of the machine's registers.
constexpr std::size_t kLanes = 32;

template <typename Element>
__attribute__((always_inline)) inline float sum_of_squares(const Element* row, std::size_t hidden) {
  float lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= hidden; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float value = to_float(row[i + lane]);
      lanes[lane] += value * value;
    }
  }
  for (std::size_t lane = 0; i < hidden; ++i, ++lane) {
    const float value = to_float(row[i]);
    lanes[lane] += value * value;
  }
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

template <typename Element>
__attribute__((always_inline)) inline void normalise_rows(const Element* x, const Element* weight,
                                                          Element* out, std::size_t rows,
                                                          std::size_t hidden, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const Element* row = x + r * hidden;
    Element* result = out + r * hidden;
    const float mean = sum_of_squares(row, hidden) / static_cast<float>(hidden);
    const float scale = 1.0f / std::sqrt(mean + eps);
    // Elements are independent even where out is x; the compiler can't see that.
#pragma GCC ivdep
    for (std::size_t i = 0; i < hidden; ++i) {
      result[i] = from_float<Element>(to_float(row[i]) * scale * to_float(weight[i]));
    }
  }
}

}  // namespace

WARDLENS_CLONES
void rms_norm(const float* x, const float* weight, float* out, std::size_t rows, std::size_t hidden,
              float eps) {
  normalise_rows(x, weight, out, rows, hidden, eps);
}

WARDLENS_CLONES
void rms_norm(const bf16* x, const bf16* weight, bf16* out, std::size_t rows, std::size_t hidden,
              float eps) {
  normalise_rows(x, weight, out, rows, hidden, eps);
}

}  // namespace wardlens::portable
