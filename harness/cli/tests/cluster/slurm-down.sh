#!/usr/bin/env bash
# Stops the Slurm that slurm-up.sh started in DIR, each process by its number after a look at what it is.
set -uo pipefail
export PATH=$PATH:/usr/sbin:/sbin SLURM_CONF=$DIR/slurm.conf
name() { cat "/proc/$1/comm" 2>/dev/null; }
stop() { # file of the number, name
  local pid
  pid=$(cat "$1" 2>/dev/null) || return 0
  [[ -n $pid && $(name "$pid") == "$2" ]] || return 0
  kill -TERM "$pid"
  for _ in $(seq 100); do [[ $(name "$pid") == "$2" ]] || return 0; sleep 0.1; done
  kill -KILL "$pid"
}
[[ $(name "$(cat "$DIR/run/slurmctld.pid" 2>/dev/null)") == slurmctld ]] && timeout 10 scancel --user="$(id -un)"
sleep 0.3
for file in "$DIR"/run/slurmd-*.pid; do stop "$file" slurmd; done
stop "$DIR/run/slurmctld.pid" slurmctld
# Steps outlive a killed slurmd; ours have our configuration in their environment.
for pid in /proc/[0-9]*; do
  pid=${pid#/proc/}
  [[ $(name "$pid") == slurmstepd ]] && tr '\0' '\n' < "/proc/$pid/environ" 2>/dev/null | grep -qx "SLURM_CONF=$SLURM_CONF" && kill -KILL "$pid"
done
stop "$DIR/run/munged.pid" munged
exit 0
