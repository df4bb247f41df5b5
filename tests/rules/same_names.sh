#!/bin/sh
# same_names.sh SOURCE COMPILER: compiles one kernel for the x86_64 device in two copies of the headers, as two checkouts would, and
# compares the bytes: clang names kernels by the file that their region stands in (include/phpc/exec/target_regions.inc).
set -eu
source=$1 compiler=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for copy in one another; do
  mkdir -p "$folder/$copy"
  cp -R "$source/include" "$folder/$copy/include"
  cat >"$folder/$copy/kernel.cpp" <<'END'
#include "phpc/exec/launch.hpp"

struct Fill {
  static constexpr int team_size = 32;
  struct Scratch {};
  int* numbers;
  void operator()(const phpc::exec::Team& team, Scratch& /*scratch*/) const { numbers[team.league_rank()] = 1; }
};

void fill(phpc::exec::Device device, int* numbers) { phpc::exec::launch(device, {.groups = 5}, Fill{numbers}); }
END
  (cd "$folder/$copy" && "$compiler" -std=c++20 -O1 -fopenmp=libomp -fopenmp-targets=x86_64-pc-linux-gnu -DPHPC_WITH_OFFLOAD=1 \
    -DPHPC_WITH_GPU_IMAGES=0 -Xopenmp-target=x86_64-pc-linux-gnu -DPHPC_X86_64_IMAGE=1 -Wno-openmp-mapping \
    -Iinclude -c kernel.cpp -o kernel.o)
done
if ! strings -a "$folder/one/kernel.o" | grep -q __omp_offloading_; then
  echo "FAILED: no kernel in what was compiled"
  exit 1
fi
if ! cmp "$folder/one/kernel.o" "$folder/another/kernel.o"; then
  echo "FAILED: two checkouts give different bytes"
  exit 1
fi
