#!/bin/sh
# several.sh PORT: of several sources on the command line, one that another includes is a header of it, also where it means nothing
# by itself; nothing of that changes what is refused or wrong elsewhere. A CMakeLists.txt holds the options of the command line.
# shellcheck disable=SC2016  # dollars are CMake's
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
if "$port" --check "$work/kernels.cu" >"$work/said" 2>&1 || ! grep -q "type name 'real'" "$work/said"; then
  printf 'an included source by itself: %s\n' "$(cat "$work/said")"
  failed=1
fi

# has_lines FOLDER LINE...: the CMakeLists.txt in the folder has these lines.
has_lines() {
  written=$1/CMakeLists.txt
  shift
  for line in "$@"; do
    if ! grep -qxF "$line" "$written"; then
      printf 'no line %s in\n%s\n' "$line" "$(cat "$written")"
      failed=1
    fi
  done
}

# The options that a source is read with, for the build of its translation.
mkdir -p "$work/project/include" "$work/library with space" "$work/database"
printf '#include "above.h"\n#include "library.h"\n__global__ void fill(int *x) { x[threadIdx.x] = VALUE + ABOVE + LIBRARY; }\nint main() {}\n' \
  >"$work/project/main.cu"
echo '#define ABOVE 1' >"$work/project/include/above.h"
echo '#define LIBRARY 2' >"$work/library with space/library.h"
: >"$work/first.h"
"$port" "$work/project/main.cu" --out-dir "$work/built" --cmake -I "$work/project/include" -I "$work/library with space" -D 'VALUE="a$b"[0]' ||
  failed=1
has_lines "$work/built" 'add_executable(ported main.cpp)' \
  'set_property(TARGET ported APPEND PROPERTY INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR}/include")' \
  "set_property(TARGET ported APPEND PROPERTY INCLUDE_DIRECTORIES \"$work/library with space\")" \
  'set_property(TARGET ported APPEND PROPERTY COMPILE_DEFINITIONS "VALUE=\"a\$b\"[0]")'
cp "$work/project/main.cu" "$work/project/other.cu"
common="-Iinclude '-isystem../library with space' -DVALUE=1"
printf '[{"directory": "%s/project", "file": "main.cu", "command": "nvcc %s -include ../first.h -c main.cu"},
{"directory": "%s/project", "file": "other.cu", "command": "nvcc %s -UOTHER -Xcompiler -fopenmp -c other.cu"}]' \
  "$work" "$common" "$work" "$common" >"$work/database/compile_commands.json"
"$port" "$work/project/main.cu" "$work/project/other.cu" --out-dir "$work/two" --cmake -p "$work/database" || failed=1
has_lines "$work/two" "set_property(SOURCE main.cpp APPEND PROPERTY COMPILE_OPTIONS \"SHELL:-include $work/first.h\")" \
  'set_property(SOURCE other.cpp APPEND PROPERTY COMPILE_OPTIONS "SHELL:-U OTHER")' \
  "set_property(SOURCE other.cpp APPEND PROPERTY INCLUDE_DIRECTORIES \"$work/library with space\")"

# uses_other_code NAME HOW WORDS: a source of WORDS, with what it would share with others, uses device code of other sources (yes) or not (no).
uses_other_code() {
  mkdir -p "$work/$1"
  printf '%s\n' 'struct Point { __device__ Point(int); __device__ int norm() const; __device__ virtual int area() const = 0; int x; };' \
    '__device__ int twice(int x);' 'template <class T> __device__ T thrice(T x);' 'extern __device__ int total;' 'extern __constant__ int table[8];' \
    '__host__ __device__ inline int once(int x) { return x; }' "$3" 'int main() {}' >"$work/$1/source.cu"
  said=$("$port" "$work/$1/source.cu" --out-dir "$work/$1/out" --cmake 2>&1) || failed=1
  property=no warned=no
  grep -qx 'set_target_properties(source PROPERTIES CUDA_SEPARABLE_COMPILATION ON)' "$work/$1/out/CMakeLists.txt" && property=yes
  printf '%s' "$said" | grep -q 'device code of another source' && warned=yes
  if [ "$property" != "$2" ] || [ "$warned" != "$2" ]; then
    printf '%s: property %s, warned %s, %s is right: %s\n' "$1" "$property" "$warned" "$2" "$said"
    failed=1
  fi
}
uses_other_code nothing no '__global__ void k(int *x) { *x = once(sqrtf(2)) + __popc(*x) + threadIdx.x; }'
uses_other_code defined no '__device__ int twice(int x) { return 2 * x; } __device__ int total; __global__ void k(int *x) { *x = twice(total); }'
uses_other_code template_defined no 'template <class T> __device__ T thrice(T x) { return 3 * x; } __global__ void k(int *x) { *x = thrice(*x); }'
uses_other_code virtual no '__global__ void k(Point *p, int *x) { *x = p->area(); }'
uses_other_code function yes '__global__ void k(int *x) { *x = twice(*x); }'
uses_other_code in_function yes '__device__ int four_times(int x) { return twice(twice(x)); } __global__ void k(int *x) { *x = four_times(*x); }'
uses_other_code template yes '__global__ void k(int *x) { *x = thrice(*x); }'
uses_other_code variable yes '__global__ void k(int *x) { *x = total; }'
uses_other_code constant yes '__global__ void k(int *x) { *x = table[3]; }'
uses_other_code method yes '__global__ void k(Point *p, int *x) { *x = p->norm(); }'
uses_other_code constructor yes 'struct Line : Point { __device__ Line() : Point(3) {} __device__ int area() const override { return 0; } }; __global__ void k(int *x) { Line l; *x = l.x; }'
exit $failed
