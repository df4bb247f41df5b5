#!/bin/sh
# several.sh PORT: of several sources on the command line, one that another includes is a header of it, also where it means nothing
# by itself; nothing of that changes what is refused or wrong elsewhere.
set -u
port=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
cat >"$work/kernels.cu" <<'SOURCE'
__global__ void scale(real *x, real factor) { x[threadIdx.x] *= factor; }
SOURCE
cat >"$work/main.cu" <<'SOURCE'
typedef double real;
#include "kernels.cu"
int main() { scale<<<1, 32>>>(nullptr, 2.0); }
SOURCE
cat >"$work/other.cu" <<'SOURCE'
__global__ void other() {}
SOURCE
if ! said=$("$port" "$work"/*.cu --out-dir "$work/out" --cmake 2>&1) || [ "$(cd "$work/out" && echo ./*)" != "./CMakeLists.txt ./kernels.cu ./main.cpp ./other.cpp" ] ||
  ! grep -q 'scale_thread' "$work/out/kernels.cu" || ! grep -q 'add_executable(.* main.cpp other.cpp)' "$work/out/CMakeLists.txt" ||
  ! printf '%s' "$said" | grep -q 'kernels.cu: note: .*main.cu'; then
  printf 'an included source: %s\n%s\n' "$said" "$(ls "$work/out")"
  failed=1
fi
if "$port" --check "$work/kernels.cu" >"$work/said" 2>&1 || ! grep -q "identifier 'real'" "$work/said"; then
  printf 'an included source by itself: %s\n' "$(cat "$work/said")"
  failed=1
fi
exit $failed
