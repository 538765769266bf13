# Needs Python 3.11 or later with venv, a C++ compiler, make and git; the rest
# (cmake and ninja too) comes from the lock.
PYTHON ?= python3
# requirements/gpu.lock instead sets up vLLM for CUDA.
LOCK ?= requirements/cpu.lock
PYTEST_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
SOURCES := kernels engine evaluators bench tests
NATIVE := $(shell find kernels/csrc -type f)
CXX_FILES := $(filter %.cpp %.h,$(NATIVE))
# Bytecode is compiled once here: an engine that starts imports thousands of modules three times,
# and where Python may not write bytecode that costs half a minute a run.
INSTALL := $(BIN)/uv pip install --python $(BIN)/python --no-deps --compile-bytecode
STAMP := $(VENV)/.ready-$(notdir $(LOCK))

# --- make demo: change these lines to try other inputs, metrics or models -------------
DEMO_INPUTS ?= examples/notes.system_a.json examples/notes.system_b.json
DEMO_CLAIMS ?= examples/claims.json
DEMO_METRICS ?= claim_recall,claim_precision
DEMO_EVALUATOR ?= smollm2
DEMO_OUT ?= demo-results
# --------------------------------------------------------------------------------------

# The lock names the CPU build of torch, which is not where other packages are. A folder
# that holds it can be given as for pip; otherwise uv knows its index. uv separates
# several places by commas, pip by spaces. Torch is installed by itself, because uv would
# look on that index for packages that only other builds of torch keep there.
empty :=
space := $(empty) $(empty)
comma := ,
ifeq ($(notdir $(LOCK)),cpu.lock)
ifneq ($(strip $(PIP_FIND_LINKS)),)
export UV_FIND_LINKS := $(subst $(space),$(comma),$(strip $(PIP_FIND_LINKS)))
else
TORCH := --torch-backend cpu
endif
endif

.PHONY: setup demo lint check-length test drill format lock clean

setup: $(STAMP)

$(STAMP): $(LOCK) pyproject.toml CMakeLists.txt $(NATIVE)
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Wardlens needs Python 3.11 or later, this is " + sys.version.split()[0] + ": make setup PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^uv==' $(LOCK))"
	$(INSTALL) $(TORCH) "$$(grep '^torch==' $(LOCK))"
	$(INSTALL) -r $(LOCK)
	$(INSTALL) --no-build-isolation --editable .
	@touch $@

demo: setup
	$(BIN)/wardlens run $(DEMO_INPUTS) --claims $(DEMO_CLAIMS) --metrics $(DEMO_METRICS) \
	  --evaluator $(DEMO_EVALUATOR) --out $(DEMO_OUT)
	@echo
	@echo "These scores come from a very small model: they show how it works, not what is true."
	@echo "To use Mistral, LLaMA or other weights that you have, name their folder:"
	@echo "  make demo DEMO_EVALUATOR=/path/to/Mistral-7B-Instruct DEMO_OUT=mistral-results"

lint: setup check-length
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run -Werror $(CXX_FILES)

check-length:
	@find $(SOURCES) -type f \( -name '*.py' -o -name '*.pyi' -o -name '*.cpp' -o -name '*.h' \) \
	  -exec awk 'FNR == 501 { print FILENAME ": more than 500 lines, split it"; long = 1 } \
	  END { exit long }' {} +

test: setup lint
	$(BIN)/python -m pytest $(PYTEST_ARGS)

drill: setup
	$(BIN)/python -m pytest -m drill $(PYTEST_ARGS)

format: setup
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/clang-format -i $(CXX_FILES)

# Takes the newest releases that fit. Needs an environment with uv in it; the platform is
# named, so that locking gives the same files on any machine.
COMPILE = $(BIN)/uv pip compile pyproject.toml --upgrade --quiet \
  --extra embedded --extra excel --extra bench --extra dev --overrides requirements/overrides.txt \
  --python-version 3.11 --python-platform x86_64-manylinux_2_28 \
  --no-annotate --no-emit-index-url --no-emit-find-links \
  --custom-compile-command "make lock"

lock:
	$(COMPILE) $(TORCH) --extra cpu --output-file requirements/cpu.lock
	env -u UV_FIND_LINKS $(COMPILE) --extra gpu --output-file requirements/gpu.lock

clean:
	rm -rf build dist $(DEMO_OUT) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find $(SOURCES) -type d -name __pycache__ -exec rm -rf {} +
