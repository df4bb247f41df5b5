#!/bin/sh
# no_libclang_test.sh SOURCE COMPILER: configures the project where clang is and libclang's development packages are not, as on a
# machine that has the packages of the README's first command alone. Debian's clang-19 brings a ClangConfig.cmake all the same.
set -eu
source=$1 compiler=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/llvm/lib/cmake/clang"
echo "find_package(LLVM REQUIRED CONFIG PATHS $folder/llvm/lib/cmake/llvm NO_DEFAULT_PATH)" >"$folder/llvm/lib/cmake/clang/ClangConfig.cmake"

# configure VALUE-OF-PHPC_PORT
configure() {
  cmake -S "$source" -B "$folder/build-$1" -DCMAKE_CXX_COMPILER="$compiler" -DPHPC_OFFLOAD=none -DPHPC_TESTS=OFF -DPHPC_BENCH=OFF \
    -DPHPC_LLVM_PREFIX="$folder/llvm" -DPHPC_PORT="$1" >"$folder/said" 2>&1
}
# expect TEXT
expect() {
  grep -q -- "$1" "$folder/said" || {
    echo "FAILED: it does not say '$1'"
    cat "$folder/said"
    exit 1
  }
}

configure auto || {
  echo "FAILED: no build without libclang"
  cat "$folder/said"
  exit 1
}
expect 'No libclang 19: the translator of CUDA sources is left out (make port)'
if configure ON; then
  echo "FAILED: PHPC_PORT=ON without libclang is no error"
  exit 1
fi
expect 'PHPC_PORT=ON needs libclang-19-dev, llvm-19-dev and libclang-cpp19-dev'
