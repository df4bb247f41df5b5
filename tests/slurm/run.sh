#!/bin/bash
# run.sh PROGRAM DATA: the job scripts of DATA/slurm on a real SLURM (cluster.sh), against what PROGRAM writes without it. Exit
# code 77: SLURM cannot run here, and nothing was tested.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=/dev/null
. "$here/cluster.sh"
# shellcheck source=/dev/null
. "$here/scenarios.sh"

if [ $# -ne 2 ]; then
  echo "usage: run.sh PROGRAM DATA" >&2
  exit 2
fi
program=$(realpath "$1") data=$(realpath "$2")
export scripts=$data/slurm
reason=$(cluster_missing)
if [ -n "$reason" ]; then
  echo "no SLURM here ($reason): skipped"
  exit 77
fi

work=$(mktemp -d /tmp/phpc-slurm-XXXXXX)
chmod 755 "$work"
finish() {
  local code=$?
  trap - EXIT
  cluster_stop
  if [ "$code" -ne 0 ]; then
    echo "FAILED in: ${scenario:-start}"
    tail -n 25 "$work"/*.log "$work"/*/*.log "$work"/cluster/log/*.log 2>/dev/null || true
  fi
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM

export PORTABLE_HPC=$program
cluster_start "$work/cluster" || fail "the cluster does not start"
echo "cluster after $SECONDS s"

# A genome that takes the program some seconds: T, and now and then random letters.
slow_genome() {
  python3 - "$1" 1000000000 <<'END'
import random, struct, sys
bases = int(sys.argv[2])
random.seed(11)
with open(sys.argv[1], "wb") as out:
    head = struct.pack("<IIII", 0x1A412743, 0, 1, 0) + b"\4slow" + struct.pack("<I", 16 + 5 + 4)
    head += struct.pack("<IIII", bases, 0, 0, 0)
    out.write(head)
    for part in range(64):
        out.seek(len(head) + part * (bases // 256))
        out.write(random.randbytes(5000))
    out.truncate(len(head) + bases // 4)
with open(sys.argv[1] + ".guides", "w") as out:
    for guide in range(96):
        out.write("".join(random.choices("ACG", k=20)) + f" 6 g{guide}\n")
END
}
slow_genome "$work/slow.2bit"
slow_search=(--genome "$work/slow.2bit" --pattern NNNNNNNNNNNNNNNNNNNN --guides-from "$work/slow.2bit.guides")
"$program" casoff "${slow_search[@]}" --device host -q -o "$work/slow.txt"
echo "inputs after $SECONDS s"

lose_a_node
equal_to_one_run
list_of_files
batch_of_systems
failed_task_again
cancelled_and_resumed
stopped_and_requeued
parts_refused
tasks_on_gpus
tasks_on_offload_devices
find_the_node_again
echo "all scenarios passed after $SECONDS s"
