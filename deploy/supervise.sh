# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
# shellcheck shell=bash
#
# Processes in the background, each of which is started again when it ends by itself. To be sourced by bash, after
# prepare.sh. Whoever sources this has set `data`, the directory of the logs, and has two functions: `launch NAME` calls
# `start`, and `is_ready NAME` succeeds when the process does its work.
#
#     [starting] --ready--> [serving] --ended--> [waiting] --its time has come--> [returning] --ready--> [serving]

: "${data:?}"
readonly start_seconds=60 # how long a start may take
readonly steady_seconds=10 # who ends earlier than that waits longer each time, at most so long:
readonly pause_seconds_max=30
readonly poll_seconds=0.1 kill_seconds=5

declare -A pids=() phases=() started_at=() launch_at=() failures=()
mapfile -t before_setpriv < <(type -P setsid env)
readonly before_setpriv
stop_is_asked=no
exec {silence}<> <(:) # nobody writes into it

# ask_to_stop: for a trap. The run ends at the next `stop_if_asked`, so that what is being started is known by then.
ask_to_stop() { stop_is_asked=yes; }

# nap SECONDS: without a process of its own. Bash says here in words of its own that a signal has ended a child, which is
# left out. Where the signal comes at another moment, that line stands beside ours.
nap() { read -rt "$1" -u "$silence" 2>/dev/null || true; }

# stop_if_asked: ends the run.
stop_if_asked() {
  if [[ $stop_is_asked == yes ]]; then exit 0; fi
}

# pause: looks after everything, and ends the run when that was asked.
pause() {
  stop_if_asked
  look_after
  nap "$poll_seconds"
  stop_if_asked
}

# start NAME SIGNAL COMMAND…: in the background, output into NAME.log. Ctrl-C does not reach it, because what depends on
# it has to end first; but it gets the signal when this shell is gone, whatever way. Returns when `ask` reaches it: bash has
# its own handlers in a child that it has just made, and ignores SIGINT in the background.
start() {
  local name=$1 signal=$2
  shift 2
  setsid -- env --default-signal setpriv --pdeathsig "$signal" -- "$@" {silence}>&- </dev/null >>"$data/$name.log" 2>&1 &
  pids[$name]=$!
  started_at[$name]=$SECONDS
  # A program that is a script of bash looks the same for as long as it runs, so there is an end.
  local end=$((SECONDS + 5))
  while ignores_signals "$!" && ((SECONDS <= end)); do nap 0.01; done
}

# ignores_signals PID: whether a child of `start` has not come to setpriv yet.
ignores_signals() {
  local path
  for path in "/proc/$$/exe" "${before_setpriv[@]}"; do
    if [[ /proc/$1/exe -ef $path ]]; then return 0; fi
  done
  return 1
}

is_running() { [[ -n ${pids[$1]:-} ]] && kill -0 "${pids[$1]}" 2>/dev/null; }

# note_end NAME: of one that runs no more. Sets `ended` (how, in words), `is_killed` (yes or no) and `lasted` (seconds).
note_end() {
  stop_if_asked # Ctrl-C may have met it before it was out of reach
  local code=0 signal
  wait "${pids[$1]}" 2>/dev/null || code=$?
  unset "pids[$1]"
  lasted=$((SECONDS - ${started_at[$1]}))
  is_killed=no
  ended="ended with exit code $code"
  if ((code > 128)) && signal=$(kill -l $((code - 128)) 2>/dev/null); then
    is_killed=yes
    ended="was ended by SIG$signal"
  fi
}

# bring_up NAME: launches it, and waits until it is ready. One that ends with an exit code would do so again, and the run
# fails. One that a signal ends is started again.
bring_up() {
  local name=$1 end=$((SECONDS + start_seconds)) why="was not ready within $start_seconds s"
  launch "$name"
  until is_ready "$name" >/dev/null 2>&1; do
    if ! is_running "$name"; then
      note_end "$name"
      why=$ended
      if [[ $is_killed == yes ]] && ((SECONDS <= end)); then
        say "$name $ended while it started. Starting it again."
        launch "$name"
        continue
      fi
    fi
    if ! is_running "$name" || ((SECONDS > end)); then
      tail -n 20 "$data/$name.log" >&2
      fail "$name did not start: it $why (the end of $data/$name.log is above)."
    fi
    pause
  done
  phases[$name]=serving
  failures[$name]=0
}

# look_after: one step of each process that `bring_up` has brought up.
look_after() {
  local name
  for name in "${!phases[@]}"; do
    if [[ ${phases[$name]} == waiting ]]; then
      if ((SECONDS < ${launch_at[$name]})); then continue; fi
      launch "$name"
      phases[$name]=returning
    elif ! is_running "$name"; then
      note_end "$name"
      plan_start "$name"
    elif [[ ${phases[$name]} == serving ]]; then
      continue
    elif is_ready "$name" >/dev/null 2>&1; then
      phases[$name]=serving
      say "$name is back."
    elif [[ ${phases[$name]} == returning ]] && ((SECONDS - ${started_at[$name]} > start_seconds)); then
      phases[$name]=late
      say "$name has run for $start_seconds s and is not ready: see $data/$name.log."
    fi
  done
}

# plan_start NAME: after note_end. At once the first time; longer each time when it ends soon after its start.
plan_start() {
  local name=$1 seconds=0
  if ((lasted >= steady_seconds)); then failures[$name]=0; fi
  if ((${failures[$name]} > 0)); then
    seconds=$((1 << (failures[$name] < 6 ? failures[$name] - 1 : 5)))
    if ((seconds > pause_seconds_max)); then seconds=$pause_seconds_max; fi
  fi
  failures[$name]=$((${failures[$name]} + 1))
  launch_at[$name]=$((SECONDS + seconds))
  phases[$name]=waiting
  if ((seconds == 0)); then
    say "$name $ended. Starting it again."
  else
    say "$name $ended $lasted s after its start. Starting it again in $seconds s."
  fi
  # Who ends by itself may have said why.
  if [[ $is_killed == no ]]; then
    say "The end of $data/$name.log:"
    tail -n 3 "$data/$name.log" | sed 's/^/  /'
  fi
}

# ask NAME SIGNAL: to end.
ask() {
  if [[ -n ${pids[$1]:-} ]]; then kill "-$2" "${pids[$1]}" 2>/dev/null || true; fi
}

# has_ended NAME SECONDS: waits for it, but not longer.
has_ended() {
  local end=$((SECONDS + $2))
  while is_running "$1"; do
    if ((SECONDS > end)); then return 1; fi
    nap 0.05
  done
  unset "pids[$1]"
}

# finish NAME SECONDS SIGNAL: waits until it has ended. What takes longer than it can have a reason to is named, and gets
# a signal that it cannot overlook; `code` is 1 then.
finish() {
  if has_ended "$1" "$2"; then return 0; fi # without the 0 it would be the status from before, in a trap
  say "$1 has not ended within $2 s, and is made to (the end of $data/$1.log follows)." >&2
  tail -n 5 "$data/$1.log" >&2
  ask "$1" "$3"
  has_ended "$1" "$kill_seconds" || true
  code=1
}
