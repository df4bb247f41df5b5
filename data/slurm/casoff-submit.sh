#!/bin/bash
# Submits a search by N tasks and the merge of what they find:
#   casoff-submit.sh 16 sites.tsv input.txt
#   casoff-submit.sh --gpus-per-task=1 --time=00:20:00 16 sites.tsv --genome hg38.phg --pattern NNN... --guides-from guides.txt
# Options of sbatch before N are for the search; SBATCH_ACCOUNT and SBATCH_PARTITION in the environment are for both.
# Prints the ids of both jobs. Submit the same once more to do what failed: finished tasks end at once.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
options=()
while [[ ${1:-} == -* ]]; do
  options+=("$1")
  shift
done
if [ $# -lt 3 ] || ! [[ $1 =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: casoff-submit.sh [OPTIONS OF sbatch, as --name=value...] N OUTPUT ARGUMENTS OF portable-hpc casoff..." >&2
  exit 2
fi
shards=$1 output=$2
search=$(sbatch --parsable --array="0-$((shards - 1))" "${options[@]}" "$here/casoff-array.sbatch" "$@")
search=${search%%;*}
# Not afterok: with it a failed task would leave the merge waiting for ever. merge sees for itself whether all is there.
merge=$(sbatch --parsable --dependency="afterany:$search" "$here/merge.sbatch" "$shards" "$output")
echo "search $search, merge ${merge%%;*}"
