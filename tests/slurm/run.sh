#!/bin/bash
# run.sh PROGRAM DATA [SCENARIO...]: the job scripts of DATA/slurm on a real SLURM (cluster.sh), against what PROGRAM writes
# without it. Exit code 77: SLURM cannot run here, and nothing was tested. A scenario is a function of scenarios.sh; without any,
# all are run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=/dev/null
. "$here/cluster.sh"
# shellcheck source=/dev/null
. "$here/scenarios.sh"

if [ $# -lt 2 ]; then
  echo "usage: run.sh PROGRAM DATA [SCENARIO...]" >&2
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

# slow_genome FILE BASES: a genome that takes the program some seconds: T, and now and then random bases; and guides for it.
slow_genome() {
  # shellcheck disable=SC2016  # variables of perl
  perl -e '
    my ($path, $bases) = @ARGV;
    srand(11);
    open(my $out, ">:raw", $path) or die;
    my $head = pack("V4 C a4 V V4", 0x1A412743, 0, 1, 0, 4, "slow", 25, $bases, 0, 0, 0);
    print $out $head;
    for my $part (0 .. 63) {
      seek($out, length($head) + $part * int($bases / 256), 0);
      print $out pack("C*", map { int(rand(256)) } 1 .. 5000);
    }
    truncate($out, length($head) + $bases / 4) or die;
    open(my $guides, ">", "$path.guides") or die;
    for my $guide (0 .. 95) {
      print $guides join("", map { ("A", "C", "G")[int(rand(3))] } 1 .. 20), " 6 g$guide\n";
    }
    close($guides) && close($out) or die' "$1" "$2"
}
slow_genome "$work/slow.2bit" 1000000000
slow_search=(--genome "$work/slow.2bit" --pattern NNNNNNNNNNNNNNNNNNNN --guides-from "$work/slow.2bit.guides")
"$program" casoff "${slow_search[@]}" --device host -q -o "$work/slow.txt"
echo "inputs after $SECONDS s"

if [ $# -gt 2 ]; then
  scenarios=("${@:3}")
else
  # The loss of a node takes half a minute, in which the others run.
  scenarios=(lose_a_node equal_to_one_run list_of_files batch_of_systems failed_task_again cancelled_and_resumed
    stopped_and_requeued parts_refused tasks_on_gpus tasks_on_offload_devices
    reports_of_two_nodes find_the_node_again)
fi
for run in "${scenarios[@]}"; do "$run"; done
echo "all scenarios passed after $SECONDS s"
