# Every target is a few lines over CMake and CTest, and installs what it misses from Debian's packages (.ci/packages).
# `cmake -B build && cmake --build build && ctest --test-dir build` does the same by hand.

BUILD ?= build
PREFIX ?= /usr/local
GPU ?= nvptx
ARCH =
CMAKE_FLAGS ?=
CTEST_FLAGS ?= --output-on-failure
BENCH_FLAGS ?=
REPORT_FLAGS ?=
# A build folder that was made with another generator keeps it.
export CMAKE_GENERATOR ?= Ninja
export CTEST_PARALLEL_LEVEL ?= $(shell nproc)

# `make CXX=...` or CXX in the environment chooses the compiler, and leaves clang 19 and its libraries out. (One of two words, as in
# "ccache g++", CMake reads from the environment by itself.)
compiler = clang
ifneq ($(origin CXX),default)
compiler = $(if $(filter g++%,$(notdir $(CXX))),gcc)
configure_compiler = $(if $(word 2,$(CXX)),,-DCMAKE_CXX_COMPILER=$(CXX))
endif

# ARCH names architectures of GPU's kind: sm_80,sm_90 or gfx90a,gfx942.
configure_arch = $(if $(ARCH),-DPHPC_$(if $(filter amdgcn,$(GPU)),AMD_)ARCH=$(ARCH))
configure = cmake -B $(BUILD) $(configure_compiler) $(configure_arch) $(CMAKE_FLAGS)
rooms = core exec io fft casoff batch cuda port jobs cli
sources = $$(git ls-files '*.cpp' '*.hpp' ':!data')

.PHONY: all setup demo test check gpu port bench report lint format install bundle deb clean help

all: ## Build the best that this machine allows: images too for the GPUs that are here
	@.ci/setup build $(compiler)
	@$(configure)
	@cmake --build $(BUILD) --target program

setup: ## Install the Debian packages that are missing
	@.ci/setup build $(compiler) test bench

demo: all ## Run the subcommands on files in data/
	@data/demo.sh $(BUILD)/bin/portable-hpc

test: ## Build and run the tests
	@.ci/setup build $(compiler) test
	@$(configure)
	@cmake --build $(BUILD) --target check_all
	@ctest --test-dir $(BUILD) --no-tests=error $(CTEST_FLAGS)

check: ## While working: host only, -O1, no benchmarks, into build-check; ROOM=batch: that room's tests alone
	@$(if $(filter-out $(rooms),$(ROOM)),echo "make check: no room '$(ROOM)'; ROOM is one of: $(rooms)" >&2; exit 1)
	@.ci/setup build $(compiler) test
	@cmake -B $(BUILD)-check $(configure_compiler) -DPHPC_OFFLOAD=none -DPHPC_BENCH=OFF -DCMAKE_BUILD_TYPE=Quick $(CMAKE_FLAGS)
	@cmake --build $(BUILD)-check --target check_$(or $(ROOM),all)
	@ctest --test-dir $(BUILD)-check --no-tests=error $(if $(ROOM),-L '^$(ROOM)$$') $(CTEST_FLAGS)

gpu: ## Build with a GPU image or fail: GPU=nvptx (default) or amdgcn, ARCH=sm_80,sm_90 for GPUs that are not here
	@.ci/setup build clang $(filter amdgcn,$(GPU))
	@$(configure) "-DPHPC_OFFLOAD=x86_64;$(GPU)"
	@cmake --build $(BUILD) --target program
	@$(BUILD)/bin/portable-hpc devices

port: ## Build the translator of CUDA sources too (portable-hpc port), over libclang 19
	@.ci/setup build $(compiler) port
	@$(configure) -DPHPC_PORT=ON
	@cmake --build $(BUILD) --target program port

bench: ## Build and run the benchmarks; BENCH_FLAGS go to each
	@.ci/setup build $(compiler) bench
	@$(configure)
	@cmake --build $(BUILD)
	@for bench in $(BUILD)/bin/bench_*; do $$bench $(BENCH_FLAGS) || exit; done

report: ## Measure the five works again into report/index.html, minutes; FULL=1: their own sizes, ten and more; REPORT_FLAGS go to report.py
	@.ci/setup build $(compiler) bench report
	@$(configure)
	@cmake --build $(BUILD) --target program
	@cmake --build $(BUILD) --target benchmarks || echo "make report: no benchmarks here; the report says what it lacks for want of them" >&2
	@cmake --build $(BUILD) --target port || echo "make report: no translator of CUDA sources here; the report says what it lacks for want of it" >&2
	@data/report/report.py --program $(BUILD)/bin/portable-hpc --out report $(if $(FULL),--full) $(REPORT_FLAGS)

lint: ## Check format, clang-tidy and shell scripts
	@.ci/setup build clang test lint
	@.ci/lint

format: ## Format the sources in place
	@.ci/setup lint
	@clang-format-19 -i $(sources)

install: all ## Install under PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(PREFIX)
	@if [ -z "$(DESTDIR)" ] && [ -x $(PREFIX)/libexec/portable-hpc/port ]; then $(PREFIX)/libexec/portable-hpc/port --precompile || true; fi

bundle deb: ARCH = sm_80,sm_90
bundle: ## Pack dist/portable-hpc-VERSION-linux-x86_64.tar.xz, which needs no LLVM; TESTS=1: with tests and benchmarks; PORT=1: the translator
ifdef PORT
	@.ci/setup build clang port bundle
	@cmake -B $(BUILD)-bundle-port -DPHPC_PORT=ON -DPHPC_OFFLOAD=none -DPHPC_HOST_ARCH=x86-64 -DPHPC_TESTS=OFF -DPHPC_BENCH=OFF $(CMAKE_FLAGS)
	@cmake --build $(BUILD)-bundle-port --target port
	@.ci/bundle $(BUILD)-bundle-port port
else
	@.ci/setup build clang bundle $(if $(TESTS),test bench)
	@cmake -B $(BUILD)-bundle -DPHPC_ARCH=$(ARCH) -DPHPC_HOST_ARCH=x86-64-v3 $(if $(TESTS),-DPHPC_GPU_TESTS=ON) $(CMAKE_FLAGS)
	@cmake --build $(BUILD)-bundle $(if $(TESTS),,--target program)
	@.ci/bundle $(BUILD)-bundle $(if $(TESTS),tests)
endif

deb: ## Pack dist/portable-hpc_VERSION_amd64.deb, which depends on Debian's packages
	@.ci/setup build clang deb
	@cmake -B $(BUILD)-deb -DPHPC_ARCH=$(ARCH) -DCMAKE_INSTALL_PREFIX=/usr -DPHPC_HOST_ARCH=x86-64-v3 -DPHPC_TESTS=OFF -DPHPC_BENCH=OFF $(CMAKE_FLAGS)
	@cmake --build $(BUILD)-deb --target program
	@cpack --config $(BUILD)-deb/CPackConfig.cmake -B dist && rm -rf dist/_CPack_Packages

clean: ## Remove what the targets above have built
	rm -rf $(BUILD) $(BUILD)-* dist report

help: ## Show this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16
