#include "cpu_features.h"

namespace wardlens {

bool has_avx512_bf16() {
#if WARDLENS_X86_PATHS
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

std::vector<std::string> supported_paths() {
  std::vector<std::string> paths = {"portable"};
  if (has_avx512_bf16()) paths.emplace_back("avx512_bf16");
  return paths;
}

}  // namespace wardlens
