#!/bin/sh
# demo.sh [PROGRAM]: runs the main jobs on the small files beside this script and shows what comes out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-portable-hpc}
case $program in */*) program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program") ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Cas-OFFinder's input names its genome from the repository's root, which an installation does not have.
mkdir "$scratch/data"
ln -s "$here/casoff" "$here/fft" "$here/batch" "$here/newton" "$here/port" "$scratch/data"
cd "$scratch"

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
  bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

say '$ portable-hpc devices'
"$program" devices

say '$ portable-hpc fft data/fft/tones.npy --spectrum --amplitude       # 64 samples of three tones'
"$program" fft data/fft/tones.npy --spectrum --amplitude | awk -F '\t' '
  NR > 1 && $2 > 0.01 { bar = ""; for (i = 0; i < 32 * $2; ++i) bar = bar "#"
                        printf "  frequency %7.5f  magnitude %5.2f  %s\n", $1, $2, bar }'

say '$ portable-hpc fft data/fft/chord.wav --spectrum --amplitude --window hann -o chord.tsv --plot chord.svg'
"$program" fft data/fft/chord.wav --spectrum --amplitude --window hann -o chord.tsv --plot chord.svg
awk -F '\t' 'NR > 1 && $3 > 0.1 { printf "  channel %d  %5g Hz  amplitude %.3f  %6.1f dB\n", $1, $2, $3, $5 }' chord.tsv

say '$ portable-hpc casoff data/casoff/input.txt C sites.txt    # off-target sites of CRISPR guides'
"$program" casoff data/casoff/input.txt C sites.txt
echo "  $(grep -vc '^#' sites.txt) sites, the first of them:"
head -6 sites.txt | sed 's/^/  /'

say '$ portable-hpc batch data/batch --solver bicgstab --precond jacobi --tol 1e-6 -o x.npy --report report.tsv'
"$program" batch data/batch --solver bicgstab --precond jacobi --rhs file --tol 1e-6 -o x.npy --report report.tsv
sed 's/^/  /' report.tsv

newton="--precond block-jacobi --block-size 3 --rhs file --tol 1e-8 -q"
say "$ portable-hpc batch data/newton/step2.npz $newton --guess step1.npy    # the next step of Newton's method"
# shellcheck disable=SC2086  # several words
"$program" batch data/newton/step1.npz $newton -o step1.npy
for guess in '' '--guess step1.npy'; do
  # shellcheck disable=SC2086
  "$program" batch data/newton/step2.npz $newton $guess --report step2.tsv
  awk -F '\t' -v from="${guess:+the solution of the last step}" '
    NR > 1 { sum += $2 }
    END { printf "  %d iterations of 8 systems from %s\n", sum, from == "" ? "zero" : from }' step2.tsv
done

# The translator of CUDA sources is there after `make port`.
case $program in */*) translator=$(dirname "$program")/../libexec/portable-hpc/port ;; *) translator= ;; esac
if [ -x "$translator" ]; then
  say '$ portable-hpc port data/port/matrix_multiplication.cu -o matmul.cpp    # CUDA C++ made portable; what it changes:'
  "$program" port data/port/matrix_multiplication.cu -o matmul.cpp
  diff data/port/matrix_multiplication.cu matmul.cpp | sed 's/^/  /' || true
fi
