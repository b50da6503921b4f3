# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
# shellcheck shell=bash
#
# Running what waits most of its time beside what computes. To be sourced by bash; one command at a time.

# run_beside LOG COMMAND…: starts the command, or function, in the background. It ends with this shell at the latest.
run_beside() {
  beside_log=$1
  shift
  set -m # a process group of its own, which can be ended whole
  "$@" &>"$beside_log" </dev/null &
  beside=$!
  set +m
  trap 'kill -- -"$beside" 2>/dev/null || true' EXIT
}

# wait_for_beside: waits for its end and prints its output. Fails if it failed.
wait_for_beside() {
  local result=0
  wait "$beside" || result=$?
  trap - EXIT
  cat "$beside_log"
  return "$result"
}
