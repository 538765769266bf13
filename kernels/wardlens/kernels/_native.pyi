# The compiled module, built from kernels/csrc by CMake. Its submodules are named
# after the paths; wardlens.kernels.paths.compiled_kernels() returns the one in use.

def supported_paths() -> list[str]: ...
