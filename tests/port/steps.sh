#!/bin/sh
# steps.sh COMPILER PORT PLUGIN INCLUDE SOURCE MADE: of the functions of SOURCE.cu, those that make steps must be those of a thread of the
# kernels that the list MADE names, with and without optimisation. Of a kernel that the pass has to leave, a remark must tell,
# and no warning, which -Werror makes an error.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2" "$5" -o "$work/steps.cpp" || exit 1
failed=0
for level in -O0 -O3; do
  said=$("$1" -std=c++20 $level -march=x86-64-v3 -fopenmp=libomp -fno-math-errno -DPHPC_WITH_OFFLOAD=0 -DPHPC_WITH_GPU_IMAGES=0 \
    -DPHPC_CUDA_VECTORS=1 -DPHPC_CUDA_THREAD_LANES=1 -I"$4" "-fpass-plugin=$3" -Werror -Wno-pass-failed -Rpass-missed=phpc-thread-steps -S -emit-llvm "$work/steps.cpp" \
    -o "$work/steps.ll" 2>&1) || failed=1
  made=$(awk '/^define/ { name = $0 } /call .*@phpc_cuda_step\(/ { print name }' "$work/steps.ll" |
    sed 's/.*Z[0-9][0-9]*\([a-z_]*\)NS0_4Grid.*run_in_step.*/\1/' | sort -u | tr '\n' ' ')
  echo "$level: $made"
  [ "$made" = "$6 " ] || failed=1
  if ! printf '%s\n' "$said" | grep -q "remark:.*exchange values in step.*a function calls itself.*by_itself"; then
    printf '%s\n' "$said"
    failed=1
  fi
done
exit $failed
