# shellcheck shell=bash
# What run.sh tests, a function each. To be sourced; `program`, `data`, `scripts`, `work` and `slow_search` are run.sh's.
# shellcheck disable=SC2154,SC2034

fail() {
  echo "run.sh: $*" >&2
  exit 1
}
# begin WHAT: a scenario in a folder of its own.
begin() {
  scenario=$1
  echo "== $scenario ($SECONDS s)"
  cd "$(mktemp -d "$work/scenario-XXXX")" || exit
  chmod 755 .
}
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }
has() { grep -qF -- "$2" "$1" || fail "'$2' is not in $1: $(cat "$1")"; }
no_temporaries() {
  local left
  left=$(find . -name '.*.tmp')
  [ -z "$left" ] || fail "left behind: $left"
}

# Of SLURM's jobs.
state_of() { squeue --noheader --states=all --jobs="$1" --format=%T | sort -u | tr '\n' ' '; }
is_over() { ! state_of "$1" | grep -qE 'PENDING|RUNNING|COMPLETING|CONFIGURING|REQUEUE|SUSPENDED'; }
field_of() { scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -1; }
# await JOB [SECONDS]: until it is over.
await() { wait_until "${2:-60}" is_over "$1" || fail "job $1 does not end: $(squeue --states=all)"; }
expect_state() {
  await "$1"
  [ "$(state_of "$1")" = "$2 " ] || fail "job $1 is $(state_of "$1"), not $2"
}
# ids SUBMIT'S-OUTPUT: "search A, merge B".
ids() { sed -n 's/^search \([0-9]*\), merge \([0-9]*\)$/\1 \2/p' <<<"$1"; }


# Nodes have two processors.
one_processor=--cpus-per-task=1

# pause_program JOB TASK OUTPUT: stops the program of an array's task (SIGSTOP) once it has begun to write; prints its id.
pause_program() {
  local pid begun end=$((SECONDS + 30))
  begun=$(printf '.%s.part-%05d-of-' "$3" "$2")  # a temporary
  until compgen -G "$begun*" >/dev/null; do
    if ((SECONDS > end)); then fail "task $1_$2 writes nothing"; fi
    sleep 0.02
  done
  for pid in $(job_processes); do
    if [ "$(readlink "/proc/$pid/exe")" = "$program" ] &&
      grep -qszx "SLURM_ARRAY_JOB_ID=$1" "/proc/$pid/environ" && grep -qszx "SLURM_ARRAY_TASK_ID=$2" "/proc/$pid/environ"; then
      kill -STOP "$pid"
      echo "$pid"
      return
    fi
  done
  fail "there is no program of task $1_$2"
}

node_of() { field_of "$1" BatchHost; }

# The first of two parts: a task runs on n3, which gets lost while the task is in the middle of its work. Its program is held so
# long that the second copy, on another node, has done all before the first goes on.
lose_a_node() {
  begin "a node is lost"
  lost_folder=$PWD
  scontrol update nodename=n[1-2] state=drain reason=test
  lost_job=$(sbatch --parsable $one_processor --array=1 "$scripts/casoff-array.sbatch" 2 rows.txt "${slow_search[@]}")
  lost_program=$(pause_program "$lost_job" 1 rows.txt)
  scontrol update nodename=n3 state=drain reason=test
  node_cut n3
  scontrol update nodename=n[1-2] state=resume
}

# The second part, half a minute later.
find_the_node_again() {
  begin "a node is lost: the second copy, and the first one beside it"
  cd "$lost_folder" || exit
  expect_state "$lost_job" COMPLETED
  [ "$(node_of "${lost_job}_1")" != n3 ] || fail "the task ran on n3 again"
  cp rows.txt.part-00001-of-00002 second
  is_alive "$lost_program" || fail "the first copy is gone"
  kill -CONT "$lost_program"
  wait_until 60 is_gone "$lost_program" || fail "the first copy does not end"
  "$program" casoff "${slow_search[@]}" --device host -q -o rows.txt --shard 0/2
  "$program" merge -q rows.txt.part-* -o rows.txt
  same rows.txt "$work/slow.txt"
  same rows.txt.part-00001-of-00002 second
  no_temporaries
}

equal_to_one_run() {
  local n job merge submitted=()
  begin "searches by 1, 3, 4 and 7 tasks"
  ln -s "$data" data
  for n in 1 3 4 7; do
    submitted+=("$n $(ids "$("$scripts/casoff-submit.sh" $one_processor "$n" "sites-$n.txt" data/casoff/input.txt)")")
  done
  submitted+=("2 $(ids "$("$scripts/casoff-submit.sh" $one_processor 2 sites.sam data/casoff/input.txt --format sam --dna-bulge 1)")")
  for n in "${submitted[@]}"; do
    read -r n job merge <<<"$n"
    expect_state "$merge" COMPLETED
    expect_state "$job" COMPLETED
    has "casoff-${job}_0.log" "SLURM_ARRAY_TASK_ID=0"
  done
  for n in 1 3 4 7; do
    same "sites-$n.txt" <("$program" casoff data/casoff/input.txt --device host -q)
  done
  # The header of SAM tells the command line.
  "$program" casoff data/casoff/input.txt --format sam --dna-bulge 1 --device host -q -o one.sam
  same <(grep -v '^@PG' sites.sam) <(grep -v '^@PG' one.sam)
  [ "$(grep -c '^@PG' sites.sam)" = 1 ] || fail "sites.sam has not one @PG"
}

list_of_files() {
  local i n job jobs=()
  begin "a list of files by 1, 3, 4 and 7 tasks, one file unreadable"
  for ((i = 0; i < 9; ++i)); do
    cp "$data/fft/tones.npy" "tones$i.npy"
    echo "$PWD/tones$i.npy" >>list
  done
  cp "$data/fft/chord.wav" chord.wav
  echo "$PWD/chord.wav" >>list
  "$program" fft --files-from list -o one --device host -q
  for n in 1 3 4 7; do
    jobs+=("$(sbatch --parsable $one_processor --array="0-$((n - 1))" "$scripts/fft-array.sbatch" "$n" list "spectra$n")")
  done
  (cat list && echo "$PWD/missing.npy") >list-of-11
  job=$(sbatch --parsable $one_processor --array=0-2 "$scripts/fft-array.sbatch" 3 list-of-11 "spectra-of-11")
  for n in "${jobs[@]}"; do expect_state "$n" COMPLETED; done
  for n in 1 3 4 7; do diff -r one "spectra$n" || fail "spectra differ"; done
  await "$job"
  diff -r one spectra-of-11 || fail "a file that cannot be read spoilt others"
  [ "$(state_of "$job")" = "COMPLETED FAILED " ] || fail "the array with a missing file: $(state_of "$job")"
}

batch_of_systems() {
  local n
  begin "a batch of systems by srun"
  "$program" batch "$data/batch" --device host -q -o one.npy
  for n in "1 1" "1 2" "2 2" "2 1"; do
    read -r nodes tasks <<<"$n"
    expect_state "$(sbatch --parsable $one_processor --nodes="$nodes" --ntasks-per-node="$tasks" "$scripts/batch-srun.sbatch" \
      "x$nodes$tasks.npy" "$data/batch")" COMPLETED
    same "x$nodes$tasks.npy" one.npy
  done
}

failed_task_again() {
  local job merge pid
  begin "a task dies and is run again"
  read -r job merge < <(ids "$("$scripts/casoff-submit.sh" $one_processor 3 rows.txt "${slow_search[@]}")")
  pid=$(pause_program "$job" 2 rows.txt)
  kill -KILL "$pid"
  expect_state "$merge" FAILED
  has "merge-$merge.log" "missing: shard 2 of 3"
  [ ! -e rows.txt ] || fail "there is a result without shard 2"
  [ "$(field_of "${job}_2" ExitCode)" = 137:0 ] || fail "task 2 has exit code $(field_of "${job}_2" ExitCode)"
  job=$(sbatch --parsable $one_processor --array=2 "$scripts/casoff-array.sbatch" 3 rows.txt "${slow_search[@]}")
  expect_state "$job" COMPLETED
  expect_state "$(sbatch --parsable "$scripts/merge.sbatch" 3 rows.txt)" COMPLETED
  same rows.txt "$work/slow.txt"
}

cancelled_and_resumed() {
  local job merge
  begin "a search is cancelled in the middle and submitted again"
  read -r job merge < <(ids "$("$scripts/casoff-submit.sh" $one_processor 2 rows.txt "${slow_search[@]}")")
  pause_program "$job" 0 rows.txt >/dev/null
  wait_until 30 test -e rows.txt.part-00001-of-00002 || fail "task 1 does not end"
  scancel "$job"
  expect_state "$merge" FAILED
  has "merge-$merge.log" "missing: shard 0 of 2"
  no_temporaries
  read -r job merge < <(ids "$("$scripts/casoff-submit.sh" $one_processor 2 rows.txt "${slow_search[@]}")")
  expect_state "$merge" COMPLETED
  has "casoff-${job}_1.log" "nothing to do"
  same rows.txt "$work/slow.txt"
}

stopped_and_requeued() {
  local job merge pid
  begin "SIGUSR1: a checkpoint, and the job is requeued"
  read -r job merge < <(ids "$("$scripts/casoff-submit.sh" $one_processor 1 rows.txt "${slow_search[@]}")")
  pid=$(pause_program "$job" 0 rows.txt)
  scancel --batch --signal=USR1 "${job}_0"
  sleep 0.5
  kill -CONT "$pid"
  expect_state "$merge" COMPLETED
  expect_state "$job" COMPLETED
  [ "$(field_of "${job}_0" Restarts)" = 1 ] || fail "the task was restarted $(field_of "${job}_0" Restarts) times"
  has "casoff-${job}_0.log" "go on with --resume"
  has "casoff-${job}_0.log" "goes on at bases"
  has "casoff-${job}_0.log" "SLURM_RESTART_COUNT=1"
  same rows.txt "$work/slow.txt"
  [ ! -e rows.txt.part-00000-of-00001.checkpoint ] || fail "a checkpoint is left"
}

parts_refused() {
  local job cut=sites.txt.part-00001-of-00003
  begin "parts that are removed, truncated or foreign"
  ln -s "$data" data
  for job in 0 1 2; do "$program" casoff data/casoff/input.txt --device host -q -o sites.txt --shard $job/3; done
  cp $cut whole
  # merge_fails WITH-WHAT
  merge_fails() {
    job=$(sbatch --parsable "$scripts/merge.sbatch" 3 sites.txt)
    expect_state "$job" FAILED
    has "merge-$job.log" "$1"
    [ "$(field_of "$job" ExitCode)" = 1:0 ] || fail "merge has exit code $(field_of "$job" ExitCode)"
    [ ! -e sites.txt ] || fail "there is a result all the same"
  }
  rm $cut
  merge_fails "missing: shard 1 of 3"
  head -c -20 whole >$cut
  merge_fails "is no whole part"
  "$program" casoff data/casoff/input_cas12a.txt --device host -q -o sites.txt --shard 1/3
  merge_fails "are no parts of one job"
  mv whole $cut
  expect_state "$(sbatch --parsable "$scripts/merge.sbatch" 3 sites.txt)" COMPLETED
  same sites.txt <("$program" casoff data/casoff/input.txt --device host -q)
}

tasks_on_gpus() {
  local seen job
  begin "two tasks on two GPUs of a node"
  seen=$(srun --ntasks=2 --nodes=1 $one_processor --gpus-per-task=1 "$program" devices -v 2>&1 >/dev/null |
    grep -o 'CUDA_VISIBLE_DEVICES=[^ ]*' | sort | tr '\n' ' ')
  [ "$seen" = "CUDA_VISIBLE_DEVICES=0 CUDA_VISIBLE_DEVICES=1 " ] || fail "the tasks see: $seen"
  # These GPUs do not exist: a job that asked for one must not run on the host.
  ln -s "$data" data
  job=$(sbatch --parsable $one_processor --gpus-per-task=1 --array=0 "$scripts/casoff-array.sbatch" 1 sites.txt \
    data/casoff/input.txt --device host)
  expect_state "$job" FAILED
  has "casoff-${job}_0.log" "OMP_TARGET_OFFLOAD=MANDATORY"
  [ "$(field_of "${job}_0" ExitCode)" = 1:0 ] || fail "the task has exit code $(field_of "${job}_0" ExitCode)"
}

tasks_on_offload_devices() {
  begin "four tasks on four offload devices"
  if [ "$("$program" devices 2>/dev/null | grep -c x86_64)" -lt 4 ]; then
    echo "   this program has no x86_64 offload devices: left out"
    return
  fi
  perl -e 'srand(5); binmode(STDOUT); print pack("s<*", map { int(rand(60000)) - 30000 } 1 .. 2 * 90 * 128)' >in.bin
  "$program" fft in.bin --dtype ci16 --shape 90,128 -o one.npy --device 0 -q
  # shellcheck disable=SC2016  # the task's SLURM_LOCALID
  srun --ntasks=4 --nodes=1 --overcommit sh -c \
    'exec "$1" fft in.bin --dtype ci16 --shape 90,128 -v -o y.npy --shard srun --device "$SLURM_LOCALID"' sh "$program" 2>devices.log
  "$program" merge -q y.npy.part-* -o y.npy
  same y.npy one.npy
  [ "$(grep -o 'running on device [0-9]*' devices.log | sort -u | wc -l)" = 4 ] || fail "not four devices: $(cat devices.log)"
}

# The report on two nodes at a time, and one picture of both.
reports_of_two_nodes() {
  local jobs=() job folder
  begin "reports of two nodes, merged"
  if ! /usr/bin/python3 -c 'import matplotlib, numpy' 2>/dev/null; then
    echo "no matplotlib here: left out"
    return
  fi
  export REPORT=$data/report/report.py
  for folder in first second; do
    jobs+=("$(sbatch --parsable --time=5 "$data/report/report.sbatch" $folder --smoke --only sycl_fft --devices host)")
  done
  for job in "${jobs[@]}"; do expect_state "$job" COMPLETED; done
  for folder in first second; do has $folder/index.html '<section id="sycl-fft-fig-3">'; done
  "$data/report/merge.py" {first,second}/sycl-fft-fig-3.tsv -o both
  has both.tsv "file 1"
  has both.tsv "file 2"
  has both.svg "</svg>"
  # A job that has GPUs and a program that sees none.
  job=$(sbatch --parsable --time=5 --gpus=1 "$data/report/report.sbatch" third --smoke)
  "$program" devices --format tsv | grep -qE '^[0-9]+	(nvidia|amd)	' || {
    expect_state "$job" FAILED
    has report-"$job".log "the job has GPUs and the program sees none"
  }
  job=$(sbatch --parsable --time=5 "$data/report/report.sbatch")
  expect_state "$job" FAILED
  has report-"$job".log "usage: sbatch"
  unset REPORT
}
