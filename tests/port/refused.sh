#!/bin/sh
# refused.sh PORT FOLDER: each source of the folder is refused at the line and with the words that its first line names:
# "// refused: LINE: WORDS". Nothing is written. With --check --json and --keep-going those of c*.cu and unknown*.cu alone, for the time it takes.
set -u
port=$1
folder=$2
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for source in "$folder"/*.cu; do
  expected=$(sed -n '1s/^.*refused: //p' "$source")
  line=${expected%%:*}
  words=${expected#*: }
  said=$("$port" "$source" -o "$work/out.cpp" 2>&1)
  status=$?
  if [ $status -ne 1 ] || [ -e "$work/out.cpp" ] || ! printf '%s\n' "$said" | grep -q ":$line: not translated: .*$words"; then
    printf '%s: expected line %s, "%s"; exit status %s:\n%s\n' "$source" "$line" "$words" "$status" "$said"
    failed=1
  fi
  rm -f "$work"/*
  case ${source##*/} in c* | unknown*) ;; *) continue ;; esac
  said=$("$port" --check --json "$source")
  if [ $? -ne 1 ] || ! printf '%s\n' "$said" | grep -q "\"line\": $line,"; then
    printf '%s: --check --json says:\n%s\n' "$source" "$said"
    failed=1
  fi
  "$port" --keep-going "$source" -o "$work/kept.cpp" >/dev/null 2>&1
  if [ -e "$work/kept.cpp" ] && ! grep -q '#error "not translated' "$work/kept.cpp"; then
    printf '%s: --keep-going left no #error\n' "$source"
    failed=1
  fi
  rm -f "$work"/*
done
exit $failed
