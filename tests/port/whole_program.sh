#!/bin/sh
# whole_program.sh WRAPPER: the linker for whole programs, WRAPPER being its text before CMake names clang's own tool in it, copies the one
# executable image with kernels, refuses two of them and other kernels beside one, and leaves the rest to clang's tool, without images that
# have no kernels. The files are heads of ELF files.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
printf '#!/bin/sh\necho "$@" >called\n' >own
sed "s#@phpc_nvlink_wrapper@#$work/own#" "$1" >wrapper
chmod +x own wrapper
# elf TYPE TEXT: 16 bytes of which the last nine are 0, the type of two bytes, and what else is in the file.
elf() {
  printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000'
  printf '%b' "\\000$1\\000" "$2"
}
elf 2 'whole __omp_offloading_a' >whole.o
elf 2 'another __omp_offloading_c' >another.o
elf 2 'no kernels' >empty.o
elf 1 environment >part.o
elf 1 __omp_offloading_b >kernels.o
failed=0
fail() {
  echo "FAIL: $1"
  failed=1
}
./wrapper -o out -arch sm_90 -Lsomewhere part.o empty.o whole.o -L/elsewhere || fail "one whole program"
cmp -s out whole.o || fail "the output is the whole program"
[ ! -e called ] || fail "clang's tool has nothing to do"
for second in another.o kernels.o; do
  rm -f out
  if ./wrapper -o out whole.o "$second" 2>message; then fail "$second beside a whole program"; fi
  if [ "$(wc -l <message)" != 1 ] || [ -e out ]; then fail "one line about $second, no output"; fi
done
rm -f out
./wrapper -o out empty.o part.o || fail "a program without kernels"
if [ -e called ] || ! cmp -s out empty.o; then fail "the output has no kernels"; fi
./wrapper -o out -arch sm_90 part.o empty.o kernels.o missing.o || fail "code to be linked"
[ "$(cat called)" = "-o out -arch sm_90 part.o kernels.o missing.o" ] || fail "the arguments of clang's tool"
exit $failed
