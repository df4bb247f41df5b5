#!/bin/sh
# golden.sh PORT FOLDER TRANSLATED [update]: what the translations TRANSLATED/*/*.cpp, made by the build, change in FOLDER/programs/*.cu is
# what FOLDER/golden/*.diff says; `update` writes these. Some are translated once more, together, and must be the same bytes. What
# may not do the same elsewhere is translated with a warning.
set -u
port=$1
folder=$2
translated=$3
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for source in "$folder"/programs/*.cu; do
  name=$(basename "$source" .cu)
  diff "$source" "$translated/$name/$name.cpp" >"$work/diff"
  if [ "${4-}" = update ]; then
    cp "$work/diff" "$folder/golden/$name.diff"
  elif ! diff "$folder/golden/$name.diff" "$work/diff"; then
    echo "$name: another translation than before"
    failed=1
  fi
done
for source in "$folder"/../../data/port/*.cu; do
  name=$(basename "$source" .cu)
  if ! cmp "${source%.cu}.cpp" "$translated/example_$name/$name.cpp"; then
    echo "data/port/$name.cpp: not the translation of $name.cu"
    failed=1
  fi
done
"$port" "$folder"/programs/k*.cu --out-dir "$work" || failed=1
for source in "$folder"/programs/k*.cu; do
  name=$(basename "$source" .cu)
  if ! cmp "$work/$name.cpp" "$translated/$name/$name.cpp"; then
    echo "$name: a second translation differs"
    failed=1
  fi
done
if ! said=$("$port" "$folder/warned.cu" -o "$work/warned.cpp" 2>&1) ||
  ! printf '%s\n' "$said" | grep -q "warned.cu:5: warning: kernel 'reversed' shares memory" ||
  ! printf '%s\n' "$said" | grep -q "warned.cu:14: warning: kernel 'summed' shares volatile memory" ||
  printf '%s\n' "$said" | grep -q "kernel '\(squared\|kept\)'"; then
  printf 'warned.cu: %s\n' "$said"
  failed=1
fi
exit $failed
