#!/bin/sh
# nvidia_memory.sh COMPILER PORT PASS SOURCE INCLUDE: the pass makes ld.global.nc of the loads of nvidia_memory.cu's kernels `reads` and
# `copies` and of no other kernel's, copies of float4 in the latter are loads and stores of 16 bytes, and the array of `own_array` is not in
# memory; large parameters are in local memory in `changes` alone, and what is copied or set as a whole is not so byte by byte; `pairs` loads its
# pairs as such. No CUDA installation is needed for assembly.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvidia=-Xopenmp-target=nvptx64-nvidia-cuda
"$2" "$4" -o "$work/nvidia_memory.cpp" || exit 1
"$1" -std=c++20 -O3 -w -fopenmp=libomp -fopenmp-targets=nvptx64-nvidia-cuda $nvidia -march=sm_80 -nogpulib -fopenmp-cuda-mode \
  -mllvm -openmp-opt-disable -DPHPC_WITH_OFFLOAD=1 -DPHPC_WITH_GPU_IMAGES=1 -I"$5" $nvidia -includephpc/cuda/clang_overlays.inc \
  $nvidia -fpass-plugin="$3" -DPHPC_CUDA_READ_ONLY_LOADS=1 --offload-device-only -S \
  "$work/nvidia_memory.cpp" -o "$work/nvidia_memory.s" || exit 1
failed=0
for kernel in reads may_change writes either copies; do
  # The text of the kernel's bare region.
  awk -v name="bare_sized_region.*${#kernel}$kernel" '/\.entry/ { on = $0 ~ name } on' "$work/nvidia_memory.s" >"$work/kernel.s"
  loads=$(grep -c 'ld\.global' "$work/kernel.s")
  cached=$(grep -c 'ld\.global\.nc' "$work/kernel.s")
  echo "$kernel: $loads loads, $cached of them of read-only memory"
  case $kernel in
  reads | copies) [ "$loads" -gt 0 ] && [ "$cached" = "$loads" ] || failed=1 ;;
  *) [ "$loads" -gt 0 ] && [ "$cached" = 0 ] || failed=1 ;;
  esac
done
# The kernel `copies`, which is still in kernel.s: by memory on the chip too.
accesses=$(grep -cE '(ld|st)\.(global|shared)' "$work/kernel.s")
wide=$(grep -cE '(ld|st)\.(global|shared).*\.v4\.' "$work/kernel.s")
echo "copies: $accesses accesses, $wide of them of 16 bytes"
[ "$accesses" -ge 8 ] && [ "$wide" = "$accesses" ] || failed=1
awk '/\.entry/ { on = $0 ~ "bare_sized_region.*9own_array" } on' "$work/nvidia_memory.s" >"$work/kernel.s"
local=$(grep -cE '\.local|__local_depot' "$work/kernel.s")
echo "own_array: $local lines name local memory"
[ -s "$work/kernel.s" ] && [ "$local" = 0 ] || failed=1
awk '/\.entry/ { on = $0 ~ "bare_sized_region.*5pairs" } on' "$work/nvidia_memory.s" >"$work/kernel.s"
single=$(grep -cE 'ld\.(global|shared)[a-z.]*\.[fbu]32' "$work/kernel.s")
pairs=$(grep -cE 'ld\.(global|shared).*(v2|v4|[bu]64)' "$work/kernel.s")
echo "pairs: $single loads of single words, $pairs of two or more"
[ "$pairs" = 2 ] && [ "$single" = 0 ] || failed=1
for kernel in picks changes counts; do
  awk -v name="bare_sized_region.*${#kernel}$kernel" '/\.entry/ { on = $0 ~ name } on' "$work/nvidia_memory.s" >"$work/kernel.s"
  local=$(grep -cE '\.local|__local_depot' "$work/kernel.s")
  bytes=$(grep -cE '(ld|st)\.(global|local).*[us]8' "$work/kernel.s")
  echo "$kernel: $local lines name local memory, $bytes accesses are of single bytes"
  case $kernel in
  picks) [ "$local" = 0 ] && [ "$bytes" = 0 ] || failed=1 ;;
  changes) [ "$local" -gt 0 ] && [ "$bytes" = 0 ] || failed=1 ;;
  counts) [ "$local" -gt 0 ] && ! grep -qE 'st\.local.*[us]8' "$work/kernel.s" || failed=1 ;;
  esac
  [ -s "$work/kernel.s" ] || failed=1
done
if grep -q phpc_cuda_read_only "$work/nvidia_memory.s"; then
  echo "a mark is left in the code"
  failed=1
fi
exit $failed
