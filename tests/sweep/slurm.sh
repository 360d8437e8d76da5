#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example array on Debian's Slurm (packages slurm-wlm and munge), all on this machine: a task is killed, is requeued,
# and the results are those of one process. Starts its own munged, slurmctld and slurmd in a folder of its own, and
# ends them. Needs root. Not a part of the gate; takes about a minute.
# usage: slurm.sh HEFT
set -eu
heft=$(readlink -f "$1")
source=$(cd "$(dirname "$0")/../.." && pwd)
for program in munged slurmctld slurmd sbatch; do
  PATH=$PATH:/usr/sbin command -v $program >/dev/null || { echo "slurm: $program is not installed"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "slurm: must run as root"; exit 77; }
PATH=$PATH:/usr/sbin
work=$(mktemp -d /tmp/heft-slurm-XXXXXX)
chmod 755 "$work"
started=
stop() {
  for p in $started; do kill "$p" 2>/dev/null || true; done
  [ -s "$work/slurmd.pid" ] && kill "$(cat "$work/slurmd.pid" 2>/dev/null)" 2>/dev/null || true
  sleep 1
  rm -rf "$work"
}
trap stop EXIT INT TERM
fail() { echo "slurm: $1"; tail -n 20 "$work"/*.log "$work"/out* 2>/dev/null; exit 1; }
wait_for() { # SECONDS CONDITION...
  limit=$1
  shift
  while ! "$@" >/dev/null 2>&1; do
    limit=$((limit - 1))
    [ "$limit" -gt 0 ] || fail "waited in vain for: $*"
    sleep 1
  done
}

mkdir "$work/state" "$work/spool" "$work/munge"
chmod 700 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 2>/dev/null
chmod 400 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge.socket" \
  --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
started="$started $!"
wait_for 30 test -S "$work/munge.socket"
host=$(hostname -s)
cat >"$work/slurm.conf" <<CONF
ClusterName=heft
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1
JobRequeue=1
MinJobAge=300
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$work/slurm.conf"
slurmctld -D -f "$work/slurm.conf" >"$work/out.slurmctld" 2>&1 &
started="$started $!"
slurmd -D -f "$work/slurm.conf" -N "$host" >"$work/out.slurmd" 2>&1 &
started="$started $!"
wait_for 60 sh -c "sinfo -h -o %T | grep -qE 'idle|mixed|alloc'"

cp "$source"/examples/sweep/*.xml "$source"/examples/sweep/*.csv "$work"
sed 's/^runs = .*/runs = 4000\nchunk = 50/' "$source/examples/sweep/grasp.toml" >"$work/grasp.toml"
cd "$work"
"$heft" sweep run grasp.toml --out alone --quiet >out.alone 2>&1 || fail "one process failed"
export HEFT="$heft"
job=$(sbatch --parsable --array=3-6 -o "$work/out.%a" "$source/examples/sweep/slurm/grasp.sbatch" grasp.toml "$work/array")
echo "slurm: array $job of 4 tasks"
# Kill the process of a task as soon as it has stored something; Slurm is told to start the task again.
wait_for 120 sh -c "[ \$(ls $work/array/chunks 2>/dev/null | wc -l) -ge 3 ]"
task=$(squeue -h -j "$job" -t RUNNING -o %K | head -n 1)
[ -n "$task" ] || fail "no task is running"
before=$(ls "$work/array/chunks" | wc -l)
scontrol requeue "${job}_$task" || fail "task $task was not requeued"
echo "slurm: task $task was killed with $before of 80 chunks stored, and requeued"
wait_for 600 sh -c "[ -z \"\$(squeue -h -j $job)\" ]"
[ "$(ls "$work/array/chunks" | wc -l)" = 80 ] || fail "chunks are missing after the array"
grep -l "present before" "$work"/out.? >/dev/null || fail "the task that was killed did not go on"
"$heft" sweep run grasp.toml --out array --quiet >out.rest 2>&1 || fail "the folder was not completed"
[ "$("$heft" sweep hash alone)" = "$("$heft" sweep hash array)" ] || fail "the array has other bits"
echo "slurm: 4 tasks, one killed and requeued: $("$heft" sweep hash array), as one process"
