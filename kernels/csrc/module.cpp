// The Python module wardlens.kernels._native: one submodule a path, with the same
// functions in each. Tensors arrive as addresses (Tensor.data_ptr()), checked by the
// Python wrapper of each op: nothing here can tell a wrong one.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>

#include "cpu_features.h"
#include "rms_norm/rms_norm.h"

namespace nb = nanobind;
using namespace wardlens;

namespace {

using Address = std::uintptr_t;

template <typename Element>
using RmsNorm = void (*)(const Element*, const Element*, Element*, std::size_t, std::size_t, float);

template <typename Element>
void bind_rms_norm(nb::module_& path, const char* name, RmsNorm<Element> kernel) {
  path.def(
      name,
      [kernel](Address x, Address weight, Address out, std::size_t rows, std::size_t hidden,
               float eps) {
        kernel(reinterpret_cast<const Element*>(x), reinterpret_cast<const Element*>(weight),
               reinterpret_cast<Element*>(out), rows, hidden, eps);
      },
      nb::arg("x"), nb::arg("weight"), nb::arg("out"), nb::arg("rows"), nb::arg("hidden"),
      nb::arg("eps"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

NB_MODULE(_native, module) {
  module.def("supported_paths", &supported_paths);

  nb::module_ portable_path = module.def_submodule("portable");
  bind_rms_norm<float>(portable_path, "rms_norm_float32", portable::rms_norm);
  bind_rms_norm<bf16>(portable_path, "rms_norm_bfloat16", portable::rms_norm);

#if WARDLENS_X86_PATHS
  nb::module_ avx512_path = module.def_submodule("avx512_bf16");
  bind_rms_norm<float>(avx512_path, "rms_norm_float32", avx512_bf16::rms_norm);
  bind_rms_norm<bf16>(avx512_path, "rms_norm_bfloat16", avx512_bf16::rms_norm);
#endif
}
