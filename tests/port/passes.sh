#!/bin/sh
# passes.sh COMPILER PORT PLUGIN INCLUDE SOURCE PASS MADE LEFT: of the kernels of SOURCE.cu, a pass of the plugin must make those that the
# list MADE names, and leave those of the list LEFT, by clang's record of what passes have done.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2" "$5" -o "$work/threads.cpp" || exit 1
"$1" -std=c++20 -O3 -march=x86-64-v3 -w -fopenmp=libomp -fno-math-errno -DPHPC_WITH_OFFLOAD=0 -DPHPC_WITH_GPU_IMAGES=0 \
  -DPHPC_CUDA_VECTORS=1 -DPHPC_CUDA_THREAD_LANES=1 -I"$4" "-fpass-plugin=$3" -foptimization-record-file="$work/record" \
  -c "$work/threads.cpp" -o "$work/threads.o" || exit 1
failed=0
# records NAME KERNEL: how many records of the pass have the name for the kernel, whose launcher is part of the function's name.
records() {
  awk -v pass="Pass: *$pass\$" -v name="Name: *$1\$" -v kernel="${#2}$2" '
    /^---/ { ours = made = 0 }
    $0 ~ pass { ours = 1 }
    $0 ~ name { made = 1 }
    /^Function:/ { if (ours && made && index($0, kernel)) ++count }
    END { print count + 0 }' "$work/record"
}
pass=$6
for kernel in $7; do
  made=$(records Made "$kernel")
  echo "$kernel: made $made times, left $(records Left "$kernel") times"
  [ "$made" -gt 0 ] || failed=1
done
for kernel in $8; do
  made=$(records Made "$kernel")
  left=$(records Left "$kernel")
  echo "$kernel: made $made times, left $left times"
  [ "$made" = 0 ] && [ "$left" -gt 0 ] || failed=1
done
exit $failed
