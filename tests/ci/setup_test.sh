#!/bin/sh
# setup_test.sh SOURCE: runs .ci/setup with stubs of apt and dpkg in front of the PATH, and looks at what it asked of them.
set -eu
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
stubs=$folder/stubs
mkdir "$stubs"

# Stub NAME: the script on standard input stands for that program.
stub() {
  { echo '#!/bin/sh'; cat; } >"$stubs/$1"
  chmod +x "$stubs/$1"
}
# dpkg-query -W -f FORMAT PACKAGE: all are installed but those of $MISSING.
stub dpkg-query <<'END'
case " $MISSING " in *" $4 "*) exit 1 ;; esac
echo 'install ok installed'
END
stub apt-cache <<'END'
echo "Package: $2"
END
# The simulation says $PLAN; an installation that may not remove fails where it would, as apt's does.
stub apt-get <<'END'
echo "apt-get $*" >>"$ASKED"
case " $* " in
  *' -s '*)
    printf '%b' "$PLAN"
    exit "${PLAN_EXIT-0}" ;;
  *' --no-remove '*)
    case $PLAN in *Remv*) exit 100 ;; esac ;;
esac
END
stub id <<'END'
echo "$USER_ID"
END
stub sudo <<'END'
echo "sudo" >>"$ASKED"
exec "$@"
END

failures=0
fail() {
  echo "FAILED: $name: $*"
  sed 's/^/  said:  /' "$folder/said"
  sed 's/^/  asked: /' "$folder/asked"
  failures=$((failures + 1))
}
# run NAME EXIT-CODE SECTIONS VARIABLE=VALUE...: runs the setup for these sections, with these variables.
run() {
  name=$1 wanted=$2 sections=$3
  shift 3
  : >"$folder/asked"
  code=0
  # shellcheck disable=SC2086  # a list of words on purpose
  env -u PHPC_SETUP_MAY_REMOVE PATH="$stubs:$PATH" ASKED="$folder/asked" MISSING= PLAN= USER_ID=0 "$@" \
    "$source/.ci/setup" $sections >"$folder/said" 2>&1 || code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code $code, not $wanted"
}
said() { grep -q -- "$1" "$folder/said" || fail "it does not say '$1'"; }
said_not() { ! grep -q -- "$1" "$folder/said" || fail "it says '$1'"; }
asked() { grep -q -- "$1" "$folder/asked" || fail "it does not ask '$1'"; }
asked_not() { ! grep -q -- "$1" "$folder/asked" || fail "it asks '$1'"; }

conflict='Remv libomp-dev [1:14.0-55]\nRemv libomp-14-dev [1:14.0.6-12] [other:amd64 ]\nRemv libomp5-14 [1:14.0.6-12]\nInst libomp-19-dev (1:19.1.7)\nConf libomp-19-dev (1:19.1.7)\n'

run "nothing is missing" 0 'build clang'
asked_not apt-get
[ ! -s "$folder/said" ] || fail "it is not silent"

run "what removes nothing is installed" 0 'build clang' MISSING='clang-19 libomp-19-dev' 'PLAN=Inst libomp-19-dev (1:19.1.7)\n'
asked 'apt-get -s install .*clang-19 libomp-19-dev'
asked 'apt-get install .*--no-remove .*clang-19 libomp-19-dev'

run "what would remove packages is not installed" 1 'build clang' MISSING=libomp-19-dev "PLAN=$conflict"
said 'libomp-14-dev libomp-dev libomp5-14'
said 'libomp-19-dev'
said 'PHPC_SETUP_MAY_REMOVE=1'
said 'make CXX=g++'
said_not Inst
asked_not 'apt-get install'

run "g++ is no way on where clang was not asked for" 1 'build' MISSING=cmake "PLAN=$conflict"
said 'PHPC_SETUP_MAY_REMOVE=1'
said_not 'CXX=g++'

run "with leave they go" 0 'build clang' MISSING=libomp-19-dev "PLAN=$conflict" PHPC_SETUP_MAY_REMOVE=1
asked 'apt-get install .*libomp-19-dev'
asked_not '--no-remove'
asked_not 'apt-get -s'

run "any other value is no leave" 1 'build clang' MISSING=libomp-19-dev "PLAN=$conflict" PHPC_SETUP_MAY_REMOVE=0
asked_not 'apt-get install'

run "an optional package that would remove others stops as well" 1 'build clang' MISSING=liboffload-22-dev "PLAN=$conflict"
said 'libomp5-14'
asked_not 'apt-get install'

run "what apt cannot install is told with apt's reason" 1 'clang' MISSING=lld-19 'PLAN=E: Unable to locate package lld-19\n' PLAN_EXIT=100
said 'Unable to locate package'
said 'cannot install lld-19'
asked_not 'apt-get install'

run "an ordinary user installs through sudo" 0 'build' MISSING=cmake USER_ID=1000
asked sudo
asked 'apt-get install .*cmake'

# What make passes on.
name='make CXX=g++ asks for no clang'
: >"$folder/said"
: >"$folder/asked"
env -u CXX -u MAKEFLAGS make -n -C "$source" CXX=g++ all test bench setup >"$folder/asked" 2>&1
asked 'ci/setup build gcc test'
asked 'CMAKE_CXX_COMPILER=g++'
asked_not 'ci/setup.*clang'
name='make by itself asks for clang'
env -u CXX -u MAKEFLAGS make -n -C "$source" all >"$folder/asked" 2>&1
asked 'ci/setup build clang'
asked_not 'CMAKE_CXX_COMPILER'

[ "$failures" -eq 0 ]
