#!/usr/bin/env bash
# A private Slurm on loopback, without systemd: munged, slurmctld and a slurmd for each node. Starts what does not run yet, so that
# tests call it again for a daemon that they have killed. Touches neither /etc/slurm nor the key of the system's munge.
#   DIR=... PORTS="CTLD NODE..." CPUS=... MAXARRAY=... slurm-up.sh
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin SLURM_CONF=$DIR/slurm.conf
read -r ctld nodes <<< "$PORTS"
mkdir -p "$DIR"/{state,log,run}
chmod 755 "$DIR" "$DIR"/{state,log,run}
# By its number, and that number is still that program.
alive() { local pid; pid=$(cat "$1" 2>/dev/null) && [[ -n $pid && $(cat "/proc/$pid/comm" 2>/dev/null) == "$2" ]]; }
# Waits up to 20 seconds for a command to succeed.
wait_for() { for _ in $(seq 200); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; echo "slurm-up: not within 20 s: $*; see $DIR/log" >&2; exit 1; }

[[ -s $DIR/munge.key ]] || (umask 077; head -c 1024 /dev/urandom > "$DIR/munge.key")
if [[ ! -e $SLURM_CONF ]]; then
  memory=$(awk '/MemTotal/ {print int($2 / 1024 / 2)}' /proc/meminfo)
  user=$(id -un)
  {
    cat <<C
ClusterName=loopback
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$ctld
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$DIR/run/munge.socket,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool-%n
SlurmctldPidFile=$DIR/run/slurmctld.pid
SlurmdPidFile=$DIR/run/slurmd-%n.pid
SlurmctldLogFile=$DIR/log/slurmctld.log
SlurmdLogFile=$DIR/log/slurmd-%n.log
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
ReturnToService=2
SlurmdTimeout=6
SlurmctldTimeout=10
KillWait=5
MinJobAge=300
MaxArraySize=$MAXARRAY
JobRequeue=1
DefMemPerCPU=100
SlurmdParameters=config_overrides
C
    number=0
    for port in $nodes; do
      number=$((number + 1))
      echo "NodeName=n$number NodeHostname=localhost NodeAddr=127.0.0.1 Port=$port CPUs=$CPUS RealMemory=$memory State=UNKNOWN"
    done
    echo "PartitionName=main Nodes=n[1-$number] Default=YES MaxTime=INFINITE State=UP"
  } > "$SLURM_CONF"
fi
if ! alive "$DIR/run/munged.pid" munged; then
  rm -f "$DIR"/run/munge.socket*
  munged --force --key-file="$DIR/munge.key" --socket="$DIR/run/munge.socket" --pid-file="$DIR/run/munged.pid" \
    --log-file="$DIR/log/munged.log" --seed-file="$DIR/run/munge.seed" --num-threads=2 2>> "$DIR/log/munged.log"
fi
wait_for munge -n -S "$DIR/run/munge.socket"
alive "$DIR/run/slurmctld.pid" slurmctld || slurmctld
wait_for scontrol ping
number=0
for _ in $nodes; do
  number=$((number + 1))
  alive "$DIR/run/slurmd-n$number.pid" slurmd || slurmd -N "n$number"
done
up() { [[ $(sinfo -h -N -o %T | grep -cE '^(idle|mixed|allocated|completing)$') == "$number" ]]; }
wait_for up
