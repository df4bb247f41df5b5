#!/bin/bash
# precompiled.sh PORT INCLUDE PARSER_HEADERS: a source is translated alike with and without precompiled headers, and much faster with
# them: also where its own names are those of headers that it leaves out, where they no longer fit, and where they are cut short.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
  printf '%s\n' "$*"
  failed=1
}

# An installation of its own, whose headers may change; the libraries are the build's.
LD_LIBRARY_PATH=$(dirname "$1")/../../lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
mkdir -p "$work/libexec/portable-hpc" "$work/share/portable-hpc/port"
cp "$1" "$work/libexec/portable-hpc/port"
cp -R "$2" "$work/include"
cp -R "$3" "$work/share/portable-hpc/port/include"
port=$work/libexec/portable-hpc/port
precompiled=$work/libexec/portable-hpc/headers.pch

mkdir "$work/sources"
# Names and macros of <algorithm>, <vector>, <iostream> and <cfloat>, which it does not include.
cat >"$work/sources/own_names.cu" <<'SOURCE'
#include <cuda_runtime.h>
#include <cstdio>
using namespace std;
int count = 3;
struct vector { float x[2]; };
__device__ float distance(float a, float b) { return a - b; }
#if defined(_GLIBCXX_IOSTREAM) || defined(FLT_DIG)
__global__ void other(float* x) { x[threadIdx.x] = 1; }
#else
__global__ void scale(float* x, vector v) { x[threadIdx.x] = distance(x[threadIdx.x], v.x[0]); }
#endif
int main() { scale<<<1, 32>>>(nullptr, vector{{1, 2}}); printf("%d\n", count); }
SOURCE
# Device code of the precompiled headers: what waits for others, holds arrays or asks for indices changes the translation.
cat >"$work/sources/groups.cu" <<'SOURCE'
#include <cooperative_groups.h>
#include <algorithm>
#include <iostream>
#include <vector>
namespace cg = cooperative_groups;
template <class T> __device__ T total(T x) { auto tile = cg::tiled_partition<32>(cg::this_thread_block()); for (int i = 16; i > 0; i /= 2) x += tile.shfl_down(x, i); return x; }
__global__ void sums(const float* x, float* y) { float sum = total(std::max(x[threadIdx.x], 0.0f)); if (threadIdx.x == 0) *y = sum; }
__global__ void plain(float2* x) { x[threadIdx.x] = make_float2(std::min(x->x, 1.0f), __shfl_sync(~0u, x->y, 0)); }
int main() { std::vector<float> x(32, 1.0f); sums<<<1, 32>>>(x.data(), x.data()); plain<<<1, 32>>>(nullptr); std::cout << x[0] << '\n'; }
SOURCE
# A header that comes in by another one of the user's.
echo '#include <random>' >"$work/sources/user.h"
cat >"$work/sources/by_header.cu" <<'SOURCE'
#include "user.h"
#include <chrono>
__global__ void fill(unsigned* x, unsigned seed) { x[threadIdx.x] = seed; }
int main() { std::mt19937 random(1); fill<<<1, 32>>>(nullptr, random()); return std::chrono::steady_clock::now().time_since_epoch().count() == 0; }
SOURCE
# Overloads of headers that it does not include, and what those that it includes bring along, say nothing of its kernels.
cat >"$work/sources/overloads.cu" <<'SOURCE'
#include <numeric>
using namespace std;
template <class T> __device__ T exchange(T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
template <class T> __global__ void sums(T* a) { a[threadIdx.x] = exchange(a, 5) + std::accumulate(a + 1, a + 5, T()); }
int main() { sums<<<1, 32>>>((float*)nullptr); }
SOURCE
# A macro of its own changes a header that it includes afterwards.
cat >"$work/sources/debugging.cu" <<'SOURCE'
#define _GLIBCXX_DEBUG
#include <map>
#ifdef _GLIBCXX_DEBUG_MAP
__global__ void checked(float* x) { x[threadIdx.x] = 1; }
#else
__global__ void unchecked(float* x) { x[threadIdx.x] = 1; }
#endif
int main() {}
SOURCE
cat >"$work/sources/macro.cu" <<'SOURCE'
#define count(a, b) ((a) + (b))
#include <algorithm>
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
int main() {}
SOURCE
cat >"$work/sources/incomplete.cu" <<'SOURCE'
#include <iosfwd>
__global__ void fill(float* x) { x[threadIdx.x] = sizeof(std::ofstream); }
int main() {}
SOURCE
cat >"$work/sources/namespaces.cu" <<'SOURCE'
#include <cuda.h>
namespace cg = cooperative_groups;
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
int main() {}
SOURCE
cat >"$work/sources/left_out.cu" <<'SOURCE'
#include <cstdio>
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
int main() { std::vector<float> x(32); fill<<<1, 32>>>(x.data()); }
SOURCE
cat >"$work/sources/reserved.cu" <<'SOURCE'
#include <vector>
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
#ifndef _GLIBCXX_DEBUG_VECTOR
#error the macro of the command line has not reached <vector>
#endif
int main() { fill<<<1, 32>>>(std::vector<float>(32).data()); }
SOURCE

good='own_names groups by_header'
others='overloads debugging'
bad='left_out reserved macro incomplete namespaces'
# translate FOLDER: all good sources by themselves.
translate() {
  for name in $good; do
    "$port" "$work/sources/$name.cu" --out-dir "$work/$1" || fail "$1: $name is not translated"
  done
}
# same FOLDER: as without precompiled headers.
same() {
  translate "$1"
  diff -r "$work/plain" "$work/$1" || fail "$1: the translations differ"
}
# spend FOLDER: translates into the folder, and sets spent to the milliseconds of processor time that this takes.
spend() {
  local before
  before=$(children_time)
  translate "$1"
  spent=$(($(children_time) - before))
}
# The milliseconds of processor time of all that has run, by this shell's own count.
children_time() {
  awk '{ print 10 * ($16 + $17) }' "/proc/$$/stat"
}

spend plain
without=$spent
declare -A errors
for name in $bad; do
  errors[$name]=$("$port" "$work/sources/$name.cu" -o "$work/out.cpp" 2>&1) && fail "$name is translated without precompiled headers"
done
for name in $others; do
  "$port" "$work/sources/$name.cu" -o "$work/$name.cpp" || fail "$name is not translated"
done
case ${errors[left_out]} in
*left_out.cu:3:*vector*) ;;
*) fail "left_out without precompiled headers: ${errors[left_out]}" ;;
esac

"$port" --precompile || fail 'not precompiled'
spend precompiled
printf 'without %s ms, with precompiled headers %s ms\n' "$without" "$spent"
[ $((10 * spent)) -lt $((6 * without)) ] || fail 'precompiled headers are not used'
same precompiled
for name in $others; do
  "$port" "$work/sources/$name.cu" -o "$work/out.cpp" || fail "$name is not translated with precompiled headers"
  diff "$work/$name.cpp" "$work/out.cpp" || fail "$name: the translations differ"
done
for name in $bad; do
  said=$("$port" "$work/sources/$name.cu" -o "$work/out.cpp" 2>&1) && fail "$name is translated"
  [ "$said" = "${errors[$name]}" ] || fail "$name: $said"
done
"$port" "$work/sources/reserved.cu" -D _GLIBCXX_DEBUG -o "$work/out.cpp" || fail 'not translated with a reserved macro'

printf '// changed\n' >>"$work/include/phpc/cuda/math.hpp"
same outdated
"$port" --precompile || fail 'not precompiled again'
head -c 100000 "$precompiled" >"$work/short" && mv "$work/short" "$precompiled"
same cut_short
printf '{' >"$precompiled.json"
same without_record
rm "$precompiled.json"
same without_any_record

# What hinders precompiling is said, and no translation is hindered.
printf '#error broken\n' >"$work/share/portable-hpc/port/include/phpc_precompiled.h"
said=$("$port" --precompile 2>&1) && fail 'broken headers are precompiled'
case $said in
*broken*cannot\ write*) ;;
*) fail "broken headers: $said" ;;
esac
[ -e "$precompiled" ] && fail 'broken headers are kept'
mkdir -p "$precompiled/folder"
[ "$("$port" --precompile -D X 2>&1)" = 'portable-hpc port: --precompile stands alone' ] || fail '--precompile with options'
said=$("$port" --precompile 2>&1) && fail 'a folder is replaced'
[ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || fail "a folder in the place: $said"
same folder
exit $failed
