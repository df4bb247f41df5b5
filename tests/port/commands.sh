#!/bin/sh
# commands.sh PORT: a source whose macros and headers come from compile_commands.json alone translates, whichever way nvcc, CMake or
# clang write the options; what is wrong with the database or with a file of options is told in one line, as is what is wrong
# with the command line.
set -u
port=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

mkdir -p "$work/build" "$work/a" "$work/b" "$work/c,d" "$work/e f" "$work/system"
touch "$work/a/a.h" "$work/b/b.h" "$work/c,d/cd.h" "$work/e f/ef.h" "$work/system/system.h"
echo '#define FIRST 1' >"$work/first.h"
cat >"$work/source.cu" <<'SOURCE'
#include "a.h"
#include "b.h"
#include "cd.h"
#include "ef.h"
#include <system.h>
#if !defined(FIRST) || SHORT != 3 || LONG != 4 || !defined(PLAIN) || !defined(HOST_ONE) || HOST_TWO != 2 || defined(GONE) || defined(NOT_AN_OPTION)
#error an option is missing
#endif
#ifndef _OPENMP
#error OpenMP of the host is missing
#endif
__global__ void fill(TYPE* x) { x[threadIdx.x] = SHORT; }
int main() { fill<<<1, 32>>>(nullptr); }
SOURCE
printf -- '-I../a,../b "-I../c,d" -I"../e f" -DSHORT=3 --define-macro LONG=4' >"$work/build/includes_CUDA.rsp"
printf -- '-isystem=%s/system --options-file nested.rsp' "$work" >"$work/build/more.rsp"
printf -- '-DPLAIN -DGONE -UGONE' >"$work/build/nested.rsp"

# database COMMAND: the one command of the source, run in build.
database() {
  printf '[{"directory": "%s/build", "file": "../source.cu", "command": "%s"}]\n' "$work" "$1" >"$work/build/compile_commands.json"
}
# translates NAME: the translation succeeds.
translates() {
  if ! said=$("$port" "$work/source.cu" -p "$work/build" -o "$work/out.cpp" 2>&1) || ! [ -s "$work/out.cpp" ]; then
    printf '%s: %s\n' "$1" "$said"
    failed=1
  fi
  rm -f "$work/out.cpp"
}
# refuses WORDS: one line that holds the words, a failure, and nothing written.
refuses() {
  said=$("$port" "$work/source.cu" -p "$work/build" -o "$work/out.cpp" 2>&1)
  status=$?
  if [ $status -eq 0 ] || [ -e "$work/out.cpp" ] || [ "$(printf '%s\n' "$said" | wc -l)" -ne 1 ] || ! printf '%s' "$said" | grep -q "$1"; then
    printf 'expected "%s", exit status %s: %s\n' "$1" "$status" "$said"
    failed=1
  fi
}

nvcc='/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -ccbin=/usr/bin/g++ --generate-code=arch=compute_90,code=[sm_90,compute_90] -std=c++17 --expt-relaxed-constexpr -O3 -rdc=true -Xptxas -v -Xptxas -DNOT_AN_OPTION'
database "$nvcc --options-file includes_CUDA.rsp --options-file=more.rsp -include ../first.h -D 'TYPE=unsigned long' -Xcompiler -fopenmp,-DHOST_ONE --compiler-options='-O2 -DHOST_TWO=2' -x cu -dc ../source.cu -o source.o"
translates 'nvcc as CMake calls it'
database "$nvcc @includes_CUDA.rsp -optf more.rsp --pre-include=../first.h --define-macro=TYPE=float -Xcompiler=-fopenmp -Xcompiler=-DHOST_ONE -DHOST_TWO=2 -c ../source.cu"
translates 'nvcc by hand'
database "clang++ -x cuda --cuda-gpu-arch=sm_90 -I ../a -I../b '-I../c,d' -iquote '../e f' -isystem ../system -include ../first.h -DSHORT=3 -DLONG=4 -DPLAIN -DHOST_ONE -DHOST_TWO=2 -DTYPE=double -fopenmp -c ../source.cu"
translates clang

database 'nvcc --options-file absent.rsp -c ../source.cu'
refuses 'absent.rsp.*No such file'
printf '[{"directory": "/", "file": "/other.cu", "command": "nvcc /other.cu"}]' >"$work/build/compile_commands.json"
refuses "no command for .*source.cu"
echo '[{' >"$work/build/compile_commands.json"
refuses "compile_commands.json.: .*Expected object key"
rm "$work/build/compile_commands.json"
refuses "cannot read '.*compile_commands.json': No such file"

# misses WORDS ARGUMENT...: a command line that means nothing is told in one line that holds the words, with exit status 2.
misses() {
  words=$1
  shift
  said=$("$port" "$@" 2>&1)
  status=$?
  if [ $status -ne 2 ] || [ "$(printf '%s\n' "$said" | wc -l)" -ne 1 ] || ! printf '%s' "$said" | grep -q "$words"; then
    printf 'expected "%s", exit status %s: %s\n' "$words" "$status" "$said"
    failed=1
  fi
}
misses 'which sources?'
misses 'which sources?' --check
misses 'where to?' "$work/source.cu"
misses 'one file' "$work/source.cu" "$work/source.cu" -o "$work/out.cpp"
misses 'unknown-option' --unknown-option "$work/source.cu"
misses 'excludes' "$work/source.cu" --check -o "$work/out.cpp"

# --check says of each source whether it can be translated, and tells each error once.
echo '__global__ void fill(int* x) { *x = 1; }' >"$work/good.cu"
printf 'int main() { \377\n\377 }\n' >"$work/bad.cu"
said=$("$port" --check "$work/good.cu" "$work/bad.cu" 2>&1)
if [ $? -ne 1 ] || ! printf '%s\n' "$said" | grep -q 'good.cu: can be translated' || ! printf '%s\n' "$said" | grep -q 'bad.cu: see above' ||
  [ -n "$(printf '%s\n' "$said" | sort | uniq -d)" ]; then
  printf 'a good and a bad source: %s\n' "$said"
  failed=1
fi
exit $failed
