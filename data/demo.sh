#!/bin/sh
# demo.sh [PROGRAM]: runs the three main jobs on the small files beside this script and shows what comes out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-portable-hpc}
case $program in */*) program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program") ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Cas-OFFinder's input names its genome from the repository's root, which an installation does not have.
mkdir "$scratch/data"
ln -s "$here/casoff" "$here/fft" "$here/batch" "$scratch/data"
cd "$scratch"

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
  bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

say '$ portable-hpc devices'
"$program" devices | awk -F '\t' '{ printf "%-8s %-8s %s\n", $1, $2, $3 }'

say '$ portable-hpc fft data/fft/tones.npy -o spectrum.npy      # 64 samples of three tones'
"$program" fft data/fft/tones.npy -o spectrum.npy
# A .npy file of this size has a header of 128 bytes; then come pairs of real and imaginary part.
od -An -v -tf4 -w8 -j128 spectrum.npy | awk '
  NR <= 33 { size = sqrt($1 * $1 + $2 * $2); bar = ""
             for (i = 0; i < size; ++i) bar = bar "#"
             if (size > 0.01) printf "  frequency %2d  magnitude %5.2f  %s\n", NR - 1, size, bar }'

say '$ portable-hpc casoff data/casoff/input.txt C sites.txt    # off-target sites of CRISPR guides'
"$program" casoff data/casoff/input.txt C sites.txt
echo "  $(grep -vc '^#' sites.txt) sites, the first of them:"
head -6 sites.txt | sed 's/^/  /'

say '$ portable-hpc batch data/batch --solver bicgstab --precond jacobi --tol 1e-6 -o x.npy --report report.tsv'
"$program" batch data/batch --solver bicgstab --precond jacobi --rhs file --tol 1e-6 -o x.npy --report report.tsv
sed 's/^/  /' report.tsv
