# The front door. Every target works from nothing: set-up and build take
# seconds when nothing changed.
BUILD ?= build
PYTHON := .venv/bin/python
JOBS ?= $(shell nproc)
export PATH := $(CURDIR)/$(BUILD)/bin:/usr/lib/llvm-22/bin:$(CURDIR)/.venv/bin:$(PATH)

.PHONY: help setup build demo test test-unit test-lit test-e2e test-python \
  test-full bench wheels docs tidy format check-tree asan fuzz clean

help:
	@echo "make demo    set up, build, classify a photograph with PyTorch and Ferrule"
	@echo "make test    set up, build, run all tests"
	@echo "make test-full  the same with all cases of the sweeps (about an hour)"
	@echo "make build   tools in build/bin, runtime in build/lib, Python package"
	@echo "make bench   measure against ONNX Runtime (not part of the tests)"
	@echo "make wheels  dist/: ferrule, and ferrule-runtime without the compiler"
	@echo "make docs    write docs/reference from the sources"
	@echo "make fuzz    feed mutated programs to the readers for ten minutes each"
	@echo "make format  clang-format and ruff"
	@echo "make tidy    clang-tidy on the runtime; TIDY=compiler/Driver for another folder"

setup:
	@utils/setup.sh demo

build: setup
	@utils/build.sh $(BUILD) $(JOBS)

demo: build
	@$(PYTHON) examples/01_classify_photograph.py

test: build
	@utils/setup.sh test
	@utils/test.sh $(BUILD) $(JOBS)

# Every case of the sweeps of which `make test` takes a slice.
test-full: build
	@utils/setup.sh test
	@FERRULE_FULL=1 utils/test.sh $(BUILD) $(JOBS)

bench: build
	@utils/setup.sh test
	@$(PYTHON) bench/bench.py

wheels: build
	@utils/build_wheels.sh dist

docs: build
	@$(PYTHON) utils/make_docs.py

check-tree:
	@$(PYTHON) utils/check_tree.py

TIDY ?= runtime
tidy: build
	@command -v run-clang-tidy-22 >/dev/null || \
	  { echo "make tidy: the Debian package clang-tidy-22 is missing" >&2; exit 1; }
	@run-clang-tidy-22 -quiet -p $(BUILD) -j $(JOBS) '$(CURDIR)/($(TIDY))/.*\.cpp'

format:
	@git ls-files '*.cpp' '*.h' | xargs clang-format-22 -i
	@.venv/bin/ruff format python test utils examples bench

asan: setup
	@cmake --preset asan && cmake --build build-asan -j $(JOBS)

# Mutates programs for FUZZ_SECONDS and stops at the first crash or hang. The
# corpus starts from the programs and artifacts of the dialects' tests.
FUZZ_SECONDS ?= 600
fuzz: setup
	@utils/setup.sh fuzz
	@cmake --preset fuzz && cmake --build build-fuzz -j $(JOBS) --target fuzz-readers
	@utils/fuzz.sh build-fuzz $(FUZZ_SECONDS)

clean:
	@rm -rf $(BUILD) build-asan build-fuzz
