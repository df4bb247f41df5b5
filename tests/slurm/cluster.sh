# shellcheck shell=bash
# A SLURM cluster of its own on this machine, for tests: munged, slurmctld, and a slurmd for each of several virtual nodes. To be
# sourced; needs root and Debian's packages (.ci/setup slurm), and neither systemd nor cgroups nor a database.
#
#   cluster_missing        prints why there can be none here; nothing where there can
#   cluster_start FOLDER   starts it, with all its files in FOLDER (new); returns when all nodes are idle
#   cluster_stop           ends all that was started, by process id
#   node_cut NODE          as a lost network does: its slurmd dies, its jobs run on
#
# Nodes n1 ... n3 have two processors, which need not exist, and two GPUs, which do not.

cluster_nodes=3
cluster_processors=2
cluster_gpus=2

cluster_missing() {
  local program
  if [ "$(id -u)" -ne 0 ]; then
    echo "it needs root"
    return
  fi
  for program in munged slurmctld slurmd sbatch unshare setsid; do
    if ! command -v "$program" >/dev/null; then
      echo "there is no $program; .ci/setup slurm installs what it needs"
      return
    fi
  done
}

# wait_until SECONDS COMMAND...: asks ten times a second.
wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS > end)); then return 1; fi
    sleep 0.1
  done
}

# A process that ended stays as a zombie where nothing reaps it; its command line is empty then.
is_alive() { [ -n "$(tr -d '\0' 2>/dev/null <"/proc/$1/cmdline")" ]; }
is_gone() { ! is_alive "$1"; }

# start_daemon NAME COMMAND...: its process id goes to run/NAME.
start_daemon() {
  local name=$1
  shift
  setsid "$@" >"$cluster/log/$name.out" 2>&1 </dev/null &
  echo $! >"$cluster/run/$name"
  disown  # bash would tell of its end
}

stop_daemon() {
  local pid
  pid=$(cat "$cluster/run/$1" 2>/dev/null) || return 0
  rm -f "$cluster/run/$1"
  is_alive "$pid" || return 0
  kill -TERM "$pid" || true
  wait_until 5 is_gone "$pid" || kill -KILL "$pid" || true
}

# job_processes: ids of all processes that jobs of this cluster started, which have its configuration in their environment, and
# of the slurmstepds above them.
job_processes() {
  local folder pid parent
  for folder in /proc/[0-9]*; do
    pid=${folder#/proc/}
    grep -qszx "PHPC_TEST_CLUSTER=$cluster" "$folder/environ" 2>/dev/null || continue
    grep -qszx 'SLURM_JOB_ID=[0-9]*' "$folder/environ" 2>/dev/null || continue
    echo "$pid"
    parent=$(sed -n 's/^PPid:\t//p' "$folder/status" 2>/dev/null)
    if [ "$(cat "/proc/$parent/comm" 2>/dev/null)" = slurmstepd ]; then echo "$parent"; fi
  done | sort -u
}

# Ports that nobody listens on: the first and so many after it.
free_ports() {
  local first i
  for ((first = 21000 + RANDOM % 9000; ; first += cluster_nodes + 1)); do
    for ((i = 0; i <= cluster_nodes; ++i)); do
      if (exec 3<>"/dev/tcp/127.0.0.1/$((first + i))") 2>/dev/null; then continue 2; fi
    done
    echo "$first"
    return
  done
}

write_configuration() {
  local name=$1 port=$2 i communication='' affinity=task/none
  # slurmctld answers on loopback alone where this machine's name is exactly that; else srun could not be called back.
  if [ "$(getent ahostsv4 "$name" | awk 'NR == 1 { print $1 }')" = 127.0.0.1 ]; then
    communication=CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
  fi
  if ((cluster_processors <= $(nproc --all))); then affinity=task/affinity; fi
  cat >"$cluster/slurm.conf" <<END
ClusterName=phpc
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# A requeued job waits for its old credential to end.
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
$communication
ProctrackType=proctrack/linuxproc
TaskPlugin=$affinity
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MailProg=/bin/true
GresTypes=gpu
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=0,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
# Without a database, ended jobs are known as long as this.
MinJobAge=3600
JobRequeue=1
KillWait=5
MessageTimeout=10
SlurmdTimeout=8
SlurmctldTimeout=10
ReturnToService=2
StateSaveLocation=$cluster/state
SlurmctldPidFile=$cluster/run/slurmctld.own
SlurmctldLogFile=$cluster/log/slurmctld.log
SlurmdPidFile=$cluster/run/%n.own
SlurmdSpoolDir=$cluster/spool/%n
SlurmdLogFile=$cluster/log/%n.log
TmpFS=$cluster/tmp/%n
PartitionName=main Nodes=n[1-$cluster_nodes] Default=YES MaxTime=60 DefaultTime=10 State=UP
END
  for ((i = 1; i <= cluster_nodes; ++i)); do
    mkdir -p "$cluster/spool/n$i" "$cluster/tmp/n$i"
    echo "NodeName=n$i NodeHostname=$name NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=$cluster_processors" \
      "Boards=1 SocketsPerBoard=1 CoresPerSocket=$cluster_processors ThreadsPerCore=1 RealMemory=64000" \
      "Gres=gpu:$cluster_gpus" >>"$cluster/slurm.conf"
  done
  # slurmd wants device files: with plain ones CUDA_VISIBLE_DEVICES is not set.
  for ((i = 0; i < cluster_gpus; ++i)); do ln -s /dev/null "$cluster/gpu$i"; done
  echo "NodeName=n[1-$cluster_nodes] Name=gpu File=$cluster/gpu[0-$((cluster_gpus - 1))]" >"$cluster/gres.conf"
}

node_start() { start_daemon "$1" slurmd -D -N "$1" -f "$SLURM_CONF"; }
node_cut() {
  kill -KILL "$(cat "$cluster/run/$1")"
  rm -f "$cluster/run/$1"
}

idle_nodes() { sinfo --noheader --Node --format=%t | grep -c '^idle$'; }
all_nodes_idle() { [ "$(idle_nodes)" = "$cluster_nodes" ]; }

cluster_start() {
  local i
  cluster=$1
  mkdir -p "$cluster"/{run,log,state,spool,tmp,munge}
  chmod 755 "$cluster" "$cluster/munge"
  head -c 1024 /dev/urandom >"$cluster/munge/key"
  chmod 600 "$cluster/munge/key"
  export SLURM_CONF=$cluster/slurm.conf PHPC_TEST_CLUSTER=$cluster
  write_configuration "$(hostname -s)" "$(free_ports)"
  start_daemon munged munged --foreground --force --socket="$cluster/munge/socket" --key-file="$cluster/munge/key" \
    --pid-file="$cluster/run/munged.own" --seed-file="$cluster/munge/seed" --log-file="$cluster/log/munged.log"
  wait_until 10 munge --no-input --socket="$cluster/munge/socket" || return 1
  start_daemon slurmctld slurmctld -D -i -f "$SLURM_CONF"
  wait_until 20 scontrol ping || return 1
  for ((i = 1; i <= cluster_nodes; ++i)); do node_start "n$i"; done
  wait_until 30 all_nodes_idle
}

no_job_processes() { [ -z "$(job_processes)" ]; }

cluster_stop() {
  local i pid
  timeout 10 scancel --partition=main --quiet >/dev/null 2>&1 || true
  wait_until 5 no_job_processes || true
  for ((i = 1; i <= cluster_nodes; ++i)); do stop_daemon "n$i"; done
  for pid in $(job_processes); do kill -KILL "$pid" 2>/dev/null || true; done
  stop_daemon slurmctld
  stop_daemon munged
}
