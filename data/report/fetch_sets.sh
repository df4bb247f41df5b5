#!/bin/sh
# fetch_sets.sh FOLDER: gets the five PeleLM sets of the batched solvers' paper from Ginkgo's repository (BSD 3-clause), for
# report.py --sets FOLDER. Each set is checked against a sum before it gets its name; one that is there already is left alone.
set -eu
[ $# -eq 1 ] || { echo "usage: fetch_sets.sh FOLDER" >&2; exit 2; }
repository=https://github.com/ginkgo-project/ginkgo.git
commit=7f41671bcafb2535b0d72b6113ffaf9122bd9cd6
inside=examples/batched-solver-from-files/data
mkdir -p "$1"
cd "$1"

# sum_of FOLDER: of all matrices, in the order of their numbers.
sum_of() {
  number=0
  while [ -e "$1/$number/A.mtx" ]; do
    cat "$1/$number/A.mtx"
    number=$((number + 1))
  done | sha256sum | cut -d ' ' -f 1
}

expected() {
  case $1 in
    drm19) echo 803189fea442a709d2ee4fc8a73d3c33bb62d451a6f758185044749ca5db920f ;;
    gri12) echo 55142eb93142f741eea12f86bc2f9dbabb67b0cd37fb99e969c38ceda634de0f ;;
    gri30) echo a3662425c0f4f2be86edbb6a243707c37ff1c99c84a527ef0871fe855ff28a3b ;;
    dodecane_lu) echo 1bacb7fd8d24434a162a51ab887f56557f8180ce5d836b582fe4ea1a11dfd5c5 ;;
    isooctane) echo d37b31cfa70ac6355db5da559a3b992dd74a328ba75564273a6df17dd8537ab6 ;;
  esac
}

missing=''
for set in drm19 gri12 gri30 dodecane_lu isooctane; do
  if [ "$(sum_of "$set")" = "$(expected "$set")" ]; then
    echo "$set is here"
  elif [ -e "$set" ]; then
    echo "fetch_sets.sh: '$1/$set' is there and is not the set; move it away" >&2
    exit 1
  else
    missing="$missing $set"
  fi
done
[ -n "$missing" ] || exit 0

scratch=$(mktemp -d .fetch-XXXXXX)
trap 'rm -rf "$scratch"' EXIT
git init -q "$scratch"
git -C "$scratch" remote add origin "$repository"
git -C "$scratch" config core.sparseCheckout true
for set in $missing; do
  echo "/$inside/$set/*/A.mtx"
done >"$scratch/.git/info/sparse-checkout"
git -C "$scratch" fetch -q --depth 1 --filter=blob:none origin "$commit"
git -C "$scratch" -c advice.detachedHead=false checkout -q FETCH_HEAD
for set in $missing; do
  if [ "$(sum_of "$scratch/$inside/$set")" != "$(expected "$set")" ]; then
    echo "fetch_sets.sh: what came for $set has another sum than it had; it was dropped" >&2
    exit 1
  fi
  mv "$scratch/$inside/$set" "$set"
  echo "$set fetched"
done
