#include "rms_norm/rms_norm.h"

#if WARDLENS_X86_PATHS

#include <immintrin.h>

#include <cmath>

#define INLINE WARDLENS_AVX512_BF16 __attribute__((always_inline)) inline

namespace wardlens::avx512_bf16 {
namespace {

constexpr std::size_t kWidth = 16;

INLINE __m512 load(const float* from, __mmask16 mask) { return _mm512_maskz_loadu_ps(mask, from); }

INLINE __m512 load(const bf16* from, __mmask16 mask) {
  const __m256i halves = _mm256_maskz_loadu_epi16(mask, from);
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

INLINE void store(float* to, __mmask16 mask, __m512 values) {
  _mm512_mask_storeu_ps(to, mask, values);
}

INLINE void store(bf16* to, __mmask16 mask, __m512 values) {
  _mm256_mask_storeu_epi16(to, mask, (__m256i)_mm512_cvtneps_pbh(values));
}

INLINE __mmask16 first(std::size_t count) {
  return static_cast<__mmask16>(count >= kWidth ? 0xffffu : (1u << count) - 1u);
}

template <typename Element>
INLINE float sum_of_squares(const Element* row, std::size_t hidden) {
  // Four sums hide the latency of the multiply-add.
  __m512 sums[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(),
                    _mm512_setzero_ps()};
  std::size_t i = 0;
  for (; i + 4 * kWidth <= hidden; i += 4 * kWidth) {
    for (std::size_t part = 0; part < 4; ++part) {
      const __m512 values = load(row + i + part * kWidth, 0xffff);
      sums[part] = _mm512_fmadd_ps(values, values, sums[part]);
    }
  }
  for (; i < hidden; i += kWidth) {
    const __m512 values = load(row + i, first(hidden - i));
    sums[0] = _mm512_fmadd_ps(values, values, sums[0]);
  }
  return _mm512_reduce_add_ps(
      _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3])));
}

template <typename Element>
INLINE void normalise_rows(const Element* x, const Element* weight, Element* out, std::size_t rows,
                           std::size_t hidden, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const Element* row = x + r * hidden;
    Element* result = out + r * hidden;
    const float mean = sum_of_squares(row, hidden) / static_cast<float>(hidden);
    const __m512 scale = _mm512_set1_ps(1.0f / std::sqrt(mean + eps));
    for (std::size_t i = 0; i < hidden; i += kWidth) {
      const __mmask16 mask = first(hidden - i);
      const __m512 scaled = _mm512_mul_ps(load(row + i, mask), scale);
      store(result + i, mask, _mm512_mul_ps(scaled, load(weight + i, mask)));
    }
  }
}

}  // namespace

WARDLENS_AVX512_BF16
void rms_norm(const float* x, const float* weight, float* out, std::size_t rows, std::size_t hidden,
              float eps) {
  normalise_rows(x, weight, out, rows, hidden, eps);
}

WARDLENS_AVX512_BF16
void rms_norm(const bf16* x, const bf16* weight, bf16* out, std::size_t rows, std::size_t hidden,
              float eps) {
  normalise_rows(x, weight, out, rows, hidden, eps);
}

}  // namespace wardlens::avx512_bf16

#endif
