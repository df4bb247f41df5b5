#!/bin/sh
# whole_program.sh LINKER NVLINK: the tools that link whole programs for NVIDIA GPUs, LINKER and NVLINK being their texts before CMake names
# clang's own tools in them. NVLINK copies an executable image, the files here being heads of ELF files, and leaves the rest to clang's tool.
# LINKER has clang's tool link each object that is a whole program for itself, with that tool's options, takes the code for devices from one
# that has nothing to name there, and has the program linked of the results;
# what fails leaves no program and no temporary files.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() {
  echo "FAIL: $1"
  failed=1
}

printf '#!/bin/sh\necho "$@" >called\n' >own
sed "s#@phpc_nvlink_wrapper@#$work/own#" "$2" >nvlink
chmod +x own nvlink
# elf TYPE TEXT: 16 bytes of which the last nine are 0, the type of two bytes, and what else is in the file.
elf() {
  printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000'
  printf '%b' "\\000$1\\000" "$2"
}
elf 2 'whole program' >whole.o
elf 1 environment >part.o
./nvlink -o out -arch sm_90 -Lsomewhere part.o whole.o -L/elsewhere || fail "one whole program"
cmp -s out whole.o || fail "the output is the whole program"
[ ! -e called ] || fail "clang's tool has nothing to do"
elf 2 __omp_offloading_a >one.o
elf 2 __omp_offloading_b >two.o
elf 1 __omp_offloading_c >kernels.o
for second in two.o kernels.o; do
  rm -f out
  if ./nvlink -o out one.o "$second" 2>message; then fail "$second beside a whole program"; fi
  if [ "$(wc -l <message)" != 1 ] || [ -e out ]; then fail "one line about $second, no output"; fi
done
./nvlink -o out -arch sm_90 part.o missing.o || fail "code to be linked"
[ "$(cat called)" = "-o out -arch sm_90 part.o missing.o" ] || fail "the arguments of clang's tool"

# Clang's tool: writes down its arguments, and an output made of its inputs. Fails where one of these says so.
cat >own <<'OWN'
#!/bin/bash
echo "$@" >>called
[ "${PHPC_FAILS-}" = last ] && [[ " $* " != *" -r "* ]] && exit 7
for argument; do
  [ "${last-}" = -o ] && output=$argument
  last=$argument
  case $argument in *.o) [ -f "$argument" ] && [ "$argument" != "${output-}" ] && inputs+=("$argument") ;; esac
done
grep -q broken "${inputs[@]}" && exit 3
{ for input in "${inputs[@]}"; do [[ " $* " = *" -r "* ]] && echo "linked"; cat "$input"; done; } >"$output.made"
mv "$output.made" "$output"
OWN
cat >objcopy <<'OBJCOPY'
#!/bin/bash
case $* in
  "--remove-section .llvm.offloading --remove-section phpc_whole_program "*) { echo stripped; sed s/phpc_whole_program// "$5"; } >"$6" ;;
  *) sed s/phpc_whole_program// "${@: -1}" >changed && mv changed "${@: -1}" ;;
esac
OBJCOPY
sed "s#@phpc_linker_wrapper@#$work/own#; s#@phpc_objcopy@#$work/objcopy#" "$1" >linker
chmod +x own objcopy linker
mkdir 'a folder' temporary
export TMPDIR="$work/temporary"
echo 'first phpc_whole_program omp_offloading_entries' >'a folder/first.o'
echo 'second phpc_whole_program omp_offloading_entries' >second.o
echo 'without phpc_whole_program' >without.o
echo 'host' >host.o
rm -f called out
./linker --cuda-path=/c --device-linker=x=-B/b --linker-path=ld -pie -o out.o 'a folder/first.o' host.o second.o without.o -lm || fail "a program of four objects"
printf 'linked\nfirst  omp_offloading_entries\nhost\nlinked\nsecond  omp_offloading_entries\nstripped\nwithout \n' | cmp -s - out.o || fail "the program is made of the linked parts, in their order"
[ "$(grep -c -e '--cuda-path=/c --device-linker=x=-B/b --linker-path=ld -r ' called)" = 2 ] || fail "the options of a part: $(cat called)"
[ "$(sed -n 3p called | sed 's#/[^ ]*/[0-9]*[.]o#PART#g')" = "--cuda-path=/c --device-linker=x=-B/b --linker-path=ld -pie -o out.o PART host.o PART PART -lm" ] ||
  fail "the options of the whole: $(sed -n 3p called)"
grep -q phpc_whole_program second.o || fail "the object itself stays as it is"
echo 'broken phpc_whole_program omp_offloading_entries' >broken.o
rm -f out.o
./linker --linker-path=ld -o out.o host.o broken.o
if [ $? != 3 ] || [ -e out.o ]; then fail "a part that cannot be linked"; fi
PHPC_FAILS=last ./linker --linker-path=ld -o out.o host.o second.o
if [ $? != 7 ] || [ -e out.o ]; then fail "a program that cannot be linked"; fi
[ -z "$(ls temporary)" ] || fail "temporary files stay: $(ls temporary)"
exit $failed
