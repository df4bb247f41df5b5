# Every target is a few lines over CMake and CTest, and installs what it misses from Debian's packages (.ci/packages).
# `cmake -B build && cmake --build build && ctest --test-dir build` does the same by hand.

BUILD ?= build
PREFIX ?= /usr/local
GPU ?= nvptx
CMAKE_FLAGS ?=
CTEST_FLAGS ?= --output-on-failure
BENCH_FLAGS ?=
# A build folder that was made with another generator keeps it.
export CMAKE_GENERATOR ?= Ninja

# `make CXX=...` or CXX in the environment chooses the compiler, and leaves clang 19 and its libraries out. (One of two words, as in
# "ccache g++", CMake reads from the environment by itself.)
compiler = clang
ifneq ($(origin CXX),default)
compiler = $(if $(filter g++%,$(notdir $(CXX))),gcc)
configure_compiler = $(if $(word 2,$(CXX)),,-DCMAKE_CXX_COMPILER=$(CXX))
endif

configure = cmake -B $(BUILD) $(configure_compiler) $(CMAKE_FLAGS)
sources = $$(git ls-files '*.cpp' '*.hpp')

.PHONY: all setup demo test gpu bench lint format install bundle clean help

all: ## Build the best that this machine allows: a GPU image too where a CUDA toolkit is found
	@.ci/setup build $(compiler)
	@$(configure)
	@cmake --build $(BUILD) --target program

setup: ## Install the Debian packages that are missing
	@.ci/setup build $(compiler) test bench

demo: all ## Run all three subcommands on files in data/
	@data/demo.sh $(BUILD)/bin/portable-hpc

test: ## Build and run the tests
	@.ci/setup build $(compiler) test
	@$(configure)
	@cmake --build $(BUILD)
	@ctest --test-dir $(BUILD) --no-tests=error $(CTEST_FLAGS)

gpu: ## Build with a GPU image or fail: GPU=nvptx (default) or GPU=amdgcn
	@.ci/setup build clang $(filter amdgcn,$(GPU))
	@$(configure) "-DPHPC_OFFLOAD=x86_64;$(GPU)"
	@cmake --build $(BUILD) --target program
	@$(BUILD)/bin/portable-hpc devices

bench: ## Build and run the benchmarks; BENCH_FLAGS go to each
	@.ci/setup build $(compiler) bench
	@$(configure)
	@cmake --build $(BUILD)
	@for bench in $(BUILD)/bin/bench_*; do $$bench $(BENCH_FLAGS) || exit; done

lint: ## Check format, clang-tidy and shell scripts
	@.ci/setup build clang test lint
	@.ci/lint

format: ## Format the sources in place
	@.ci/setup lint
	@clang-format-19 -i $(sources)

install: all ## Install under PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(PREFIX)

bundle: ## Pack dist/portable-hpc-VERSION-linux-x86_64.tar.xz, which needs no LLVM; TESTS=1: with tests and benchmarks
	@.ci/setup build clang bundle $(if $(TESTS),test bench)
	@cmake -B $(BUILD)-bundle -DPHPC_HOST_ARCH=x86-64-v3 $(if $(TESTS),-DPHPC_GPU_TESTS=ON) $(CMAKE_FLAGS)
	@cmake --build $(BUILD)-bundle $(if $(TESTS),,--target program)
	@.ci/bundle $(BUILD)-bundle $(if $(TESTS),tests)

clean: ## Remove what the targets above have built
	rm -rf $(BUILD) $(BUILD)-* dist

help: ## Show this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16
