// Which compiled paths this processor can run.
#pragma once

#include <string>
#include <vector>

// Hand-written paths are compiled where the compiler knows their target attributes,
// whatever the machine that builds; everything else about them is decided at run time.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define WARDLENS_X86_PATHS 1
#else
#define WARDLENS_X86_PATHS 0
#endif

// The portable path is compiled once per instruction set and bound when the module
// is loaded. The binding needs indirect functions, which only ELF systems have.
#if WARDLENS_X86_PATHS && defined(__ELF__)
#define WARDLENS_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define WARDLENS_CLONES
#endif

#define WARDLENS_AVX512_BF16 \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")))

namespace wardlens {

// True where the processor and the operating system support every instruction set
// named in WARDLENS_AVX512_BF16.
bool has_avx512_bf16();

// Names of the paths that can run here, the fastest last.
std::vector<std::string> supported_paths();

}  // namespace wardlens
