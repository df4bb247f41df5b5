#!/bin/sh
# run.sh SOURCE PROGRAM: runs the examples of SOURCE/README.md as they stand there, in a folder that holds data/ and out/ as a clone
# does, with PROGRAM on the PATH: each must end with success. Left out are those that take longer (--bench) or need SLURM, and what is
# not indented by four blanks.
set -eu
source=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/out"
ln -s "$program" "$folder/bin/portable-hpc"
ln -s "$source/data" "$folder/data"
cd "$folder"
PATH=$folder/bin:$PATH
sed -n '/^    \([a-z].* | \)\{0,1\}portable-hpc [a-z]/p' "$source/README.md" | sed '/^    portable-hpc [a-z]*: /d; /--bench/d' >examples
count=0
while read -r example; do
  count=$((count + 1))
  if ! sh -c "$example" </dev/null >output 2>&1; then
    echo "FAILED: $example"
    cat output
    exit 1
  fi
done <examples
echo "$count examples ran"
[ "$count" -ge 15 ]
