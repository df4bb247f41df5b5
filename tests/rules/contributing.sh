#!/bin/sh
# contributing.sh SOURCE: each worked diff of SOURCE/src/CONTRIBUTING.md applies to SOURCE as it is.
set -eu
source=$1
if ! command -v git >/dev/null; then
  echo "skipped: no git here"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk -v folder="$folder" '/^```diff$/ { diff = folder "/" ++count; next } /^```$/ { diff = "" } diff { print > diff }' \
  "$source/src/CONTRIBUTING.md"
cd "$source"
count=0
for diff in "$folder"/*; do
  count=$((count + 1))
  if ! git apply --check "$diff"; then
    echo "FAILED: the diff of src/CONTRIBUTING.md that begins with '$(grep -m 1 '^+++ ' "$diff")'"
    exit 1
  fi
done
echo "$count diffs apply"
[ "$count" -ge 7 ]
