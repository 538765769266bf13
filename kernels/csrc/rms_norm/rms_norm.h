// Root-mean-square normalisation as in T5: out = x / sqrt(mean(x^2) + eps) * weight,
// with neither mean subtraction nor bias.
//
// x and out are (rows, hidden), weight is (hidden), all contiguous and of one type;
// out may be x itself. Sums are float32; the result is rounded once, on writing.
// A row's bits depend on that row alone, never on how many rows come with it.
#pragma once

#include <cstddef>

#include "bf16.h"
#include "cpu_features.h"

namespace wardlens {

namespace portable {
void rms_norm(const float* x, const float* weight, float* out, std::size_t rows, std::size_t hidden,
              float eps);
void rms_norm(const bf16* x, const bf16* weight, bf16* out, std::size_t rows, std::size_t hidden,
              float eps);
}  // namespace portable

#if WARDLENS_X86_PATHS
namespace avx512_bf16 {
void rms_norm(const float* x, const float* weight, float* out, std::size_t rows, std::size_t hidden,
              float eps);
void rms_norm(const bf16* x, const bf16* weight, bf16* out, std::size_t rows, std::size_t hidden,
              float eps);
}  // namespace avx512_bf16
#endif

}  // namespace wardlens
