#!/bin/sh
# thread_lanes.sh COMPILER PORT PASS SOURCE INCLUDE: which kernels of thread_lanes.cu the pass runs in lanes, by clang's record of
# what passes have done.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2" "$4" -o "$work/threads.cpp" || exit 1
"$1" -std=c++20 -O3 -march=x86-64-v3 -w -fopenmp=libomp -fno-math-errno -DPHPC_WITH_OFFLOAD=0 -DPHPC_WITH_GPU_IMAGES=0 \
  -DPHPC_CUDA_VECTORS=1 -DPHPC_CUDA_THREAD_LANES=1 -I"$5" "-fpass-plugin=$3" -foptimization-record-file="$work/record" \
  -c "$work/threads.cpp" -o "$work/threads.o" || exit 1
failed=0
# records NAME KERNEL: how many records of the pass have the name for the kernel, whose launcher is part of the function's name.
records() {
  awk -v name="Name: *$1\$" -v kernel="${#2}$2" '
    /^---/ { ours = made = 0 }
    /^Pass: *phpc-thread-lanes/ { ours = 1 }
    $0 ~ name { made = 1 }
    /^Function:/ { if (ours && made && index($0, kernel)) ++count }
    END { print count + 0 }' "$work/record"
}
for kernel in column_sums nearest over_the_grid own_array four_arrays nine_arrays search swapped rows exchange; do
  made=$(records Made $kernel)
  left=$(records Left $kernel)
  echo "$kernel: $made loops in lanes, $left left"
  case $kernel in
  exchange | nine_arrays) [ "$made" = 0 ] && [ "$left" -gt 0 ] || failed=1 ;;
  *) [ "$made" -gt 0 ] || failed=1 ;;
  esac
done
exit $failed
