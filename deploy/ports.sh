# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
# shellcheck shell=bash
#
# The ports of ./deploy/run and its cluster. To be sourced by bash, after prepare.sh.

# What --ports BASE gives to whom: the first to BASE itself, the second to BASE + 1, and so on.
readonly cluster_ports=(HAProxy node-1 node-2 node-3 'the health of node-1' 'the health of node-2' 'the health of node-3'
  PostgreSQL Redis)
readonly port_min=1024 port_max=65535

# taken ADDRESS:PORT: whether somebody accepts connections there.
taken() {
  local host=${1%:*}
  host=${host#[} # as in [::1]:8080
  (exec 3<>"/dev/tcp/${host%]}/${1##*:}") 2>/dev/null
}

# check_base BASE: ends the run with a sentence when it cannot be the first port of a cluster.
check_base() {
  local base=$1 base_max=$((port_max - ${#cluster_ports[@]} + 1))
  if [[ ! $base =~ ^[1-9][0-9]{3,4}$ ]] || ((base < port_min || base > base_max)); then
    fail "--ports '$base': BASE is a number from $port_min to $base_max, the first of nine ports. With --ports 9100 they are 9100 to 9108."
  fi
}

# fail_with_port BASE PORT: of that base, which is in use.
fail_with_port() {
  fail "Port $2 is in use, which --ports $1 gives to ${cluster_ports[$2 - $1]}. Choose another BASE."
}

# check_ports BASE [PLACE]: ends the run with a sentence when one of the cluster's ports is in use. PLACE is the first one
# that is looked at: 1 leaves out HAProxy's.
check_ports() {
  local base=$1 place
  for ((place = ${2:-0}; place < ${#cluster_ports[@]}; ++place)); do
    if taken "127.0.0.1:$((base + place))"; then fail_with_port "$base" $((base + place)); fi
  done
}

# reserve PORT: fails when another cluster has it, which may not listen there yet. It is kept until this shell and what it
# has started have ended.
reserved=()
reserve() {
  local file descriptor
  for file in /run/lock /tmp; do
    if [[ -w $file ]]; then break; fi
  done
  file+=/petstore-port-$1
  while true; do
    # That of another user can be read, which is enough to lock it.
    (umask 022 && : >>"$file") 2>/dev/null || true
    # Without it there is only `taken`.
    { exec {descriptor}<"$file"; } 2>/dev/null || return 0
    if ! flock -n "$descriptor"; then
      exec {descriptor}<&-
      return 1
    fi
    # Else the one who had it has removed it meanwhile, and a third may lock the next one.
    if [[ /proc/$BASHPID/fd/$descriptor -ef $file ]]; then break; fi
    exec {descriptor}<&-
  done
  reserved+=("$file")
}

# remove_reservations: at the end of this shell, when nothing that it has started runs any more.
remove_reservations() { rm -f "${reserved[@]}" 2>/dev/null || true; }
