#!/bin/sh
# read_only.sh COMPILER PORT PASS SOURCE INCLUDE: the pass makes ld.global.nc of the loads of read_only.cu's kernel `reads` and of no
# other kernel's. No CUDA installation is needed for assembly.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvidia=-Xopenmp-target=nvptx64-nvidia-cuda
"$2" "$4" -o "$work/read_only.cpp" || exit 1
"$1" -std=c++20 -O3 -w -fopenmp=libomp -fopenmp-targets=nvptx64-nvidia-cuda $nvidia -march=sm_80 -nogpulib -fopenmp-cuda-mode \
  -mllvm -openmp-opt-disable -DPHPC_WITH_OFFLOAD=1 -DPHPC_WITH_GPU_IMAGES=1 -I"$5" $nvidia -includephpc/cuda/global_lerp.inc \
  $nvidia -D_LIBCPP_COMPLEX=1 $nvidia -fpass-plugin="$3" $nvidia -DPHPC_CUDA_READ_ONLY_LOADS=1 --offload-device-only -S \
  "$work/read_only.cpp" -o "$work/read_only.s" || exit 1
failed=0
for kernel in reads may_change writes either; do
  # The text of the kernel's bare region.
  awk -v name="bare_sized_region.*${#kernel}$kernel" '/\.entry/ { on = $0 ~ name } on' "$work/read_only.s" >"$work/kernel.s"
  loads=$(grep -c 'ld\.global' "$work/kernel.s")
  cached=$(grep -c 'ld\.global\.nc' "$work/kernel.s")
  echo "$kernel: $loads loads, $cached of them of read-only memory"
  case $kernel in
  reads) [ "$loads" -gt 0 ] && [ "$cached" = "$loads" ] || failed=1 ;;
  *) [ "$loads" -gt 0 ] && [ "$cached" = 0 ] || failed=1 ;;
  esac
done
if grep -q phpc_cuda_read_only "$work/read_only.s"; then
  echo "a mark is left in the code"
  failed=1
fi
exit $failed
