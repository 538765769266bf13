// bfloat16 as it lies in memory: the upper half of an IEEE float32.
#pragma once

#include <cstdint>
#include <cstring>

namespace wardlens {

// A type of its own, so that overloads tell bf16 from plain 16-bit integers.
struct bf16 {
  std::uint16_t bits;
};
static_assert(sizeof(bf16) == 2, "bf16 arrays are read from tensors as they are");

__attribute__((always_inline)) inline float to_float(float value) { return value; }

__attribute__((always_inline)) inline float to_float(bf16 value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

template <typename Element>
Element from_float(float value);

template <>
__attribute__((always_inline)) inline float from_float<float>(float value) {
  return value;
}

// Rounds to nearest, ties to even, as torch does. NaN keeps its sign and upper
// payload and is made quiet: plain rounding could carry it over into infinity.
template <>
__attribute__((always_inline)) inline bf16 from_float<bf16>(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const std::uint32_t quiet_nan = (bits >> 16) | 0x40u;
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return {static_cast<std::uint16_t>(is_nan ? quiet_nan : rounded)};
}

}  // namespace wardlens
