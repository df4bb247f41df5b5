#!/bin/sh
# binaries.sh FILE...: says of each program or library what would let another one in or make it easy to take over, and fails then.
# Run paths name folders of this system or of the installation, never the current one (an empty element); what the project itself has
# linked is position-independent, and its tables are read-only once it is loaded.
set -eu
failed=0
complain() {
  echo "binaries: $1: $2" >&2
  failed=1
}

for file in "$@"; do
  dynamic=$(readelf -dW "$file")
  paths=$(echo "$dynamic" | sed -n 's/.*(R\(UN\)\{0,1\}PATH).*\[\(.*\)\]$/\2/p')
  case ":$paths:" in
    ::) ;;
    *::*) complain "$file" "its run path '$paths' has an empty element, which is the current folder" ;;
  esac
  echo "$paths" | tr : '\n' | while read -r path; do
    # shellcheck disable=SC2016  # the loader's $ORIGIN
    case $path in
      '' | /* | '$ORIGIN' | '$ORIGIN/'*) ;;
      *) echo "$path" ;;
    esac
  done | grep . && complain "$file" "its run path '$paths' has the relative elements above"

  case $(basename "$file") in
    portable-hpc | libphpc_*) ;;
    *) continue ;;
  esac
  segments=$(readelf -hlW "$file")
  echo "$segments" | grep -q 'Type: *DYN' || complain "$file" "it is not position-independent"
  echo "$segments" | grep -q GNU_RELRO || complain "$file" "its relocated tables stay writable (no RELRO)"
  echo "$segments" | grep 'GNU_STACK.*E ' && complain "$file" "its stack is executable"
  echo "$dynamic" | grep -q 'BIND_NOW\|Flags:.*NOW' || complain "$file" "it is bound lazily (no BIND_NOW)"
  case $(basename "$file") in
    portable-hpc | libphpc_io*) readelf -sW "$file" | grep -q __stack_chk_fail || complain "$file" "it has no stack protector" ;;
  esac
done
exit $failed
