# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
# shellcheck shell=bash
#
# What ./deploy/run and ./tests/run share: installing packages and building, each with a progress line. To be sourced by
# bash with the checkout as the working directory, except for npm's packages.

say() { printf '%s\n' "$*"; }

# Messages for a person go through here when they end the run.
fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

# duration SECONDS: 95 becomes `1 min 35 s`.
duration() {
  if (($1 >= 60)); then printf '%d min %d s' $(($1 / 60)) $(($1 % 60)); else printf '%d s' "$1"; fi
}

# On a terminal one line that is overwritten; in a log a line each 10 %, because carriage returns do not read well there.
# The time left is the time spent, scaled: rough at first, so it is shown from 5 % or 3 s on.
progress_begin() {
  progress_label=$1
  progress_start=$SECONDS
  progress_shown=-1
}

progress_show() {
  local percent=$1 spent=$((SECONDS - progress_start)) left=''
  if ((percent >= 5 && spent >= 3)); then
    left=", about $(duration $((spent * (100 - percent) / percent))) left"
  fi
  if [[ -t 1 ]]; then
    printf '\r\033[K%s: %d %%%s' "$progress_label" "$percent" "$left"
  elif ((percent / 10 > progress_shown)); then
    progress_shown=$((percent / 10))
    say "$progress_label: $percent %$left"
  fi
}

# Clears the way for lines that must stay, such as a compiler's error.
progress_interrupt() {
  if [[ -t 1 ]]; then printf '\r\033[K'; fi
}

progress_end() {
  progress_interrupt
  say "$progress_label: done in $(duration $((SECONDS - progress_start)))"
}

# What cmake looks for, in the names of those who make it.
foundations='a C++20 compiler, CMake 3.23, Ninja, Boost 1.81, OpenSSL 3, CLI11 2.1, toml++ 3.3, fmt, spdlog, prometheus-cpp, LMDB, libpq and hiredis 0.14, or newer ones'

knows_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

# packages_missing FILE…: the lines of which dpkg does not know all packages as installed. A line names a package, or sets of
# packages with | between them, of which one is enough. {boost} in a name stands for a version of Boost, as in
# libboost1.81-dev: that which is installed, because Debian lets no two be. Without any it stays in the line.
packages_missing() {
  local installed boost line choices choice name
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Abbrev}\n' | sed -n 's/ .i *$//p')
  boost=$(sed -n 's/^libboost\(1\.[0-9]*\)-dev$/\1/p' <<<"$installed")
  if [[ -n $boost ]] && dpkg --compare-versions "$boost" lt 1.81; then boost=''; fi
  while IFS= read -r line; do
    if [[ -n $boost ]]; then line=${line//'{boost}'/$boost}; fi
    IFS='|' read -ra choices <<<"$line"
    for choice in "${choices[@]}"; do
      for name in $choice; do
        if ! grep -qxF "$name" <<<"$installed"; then continue 2; fi
      done
      continue 2
    done
    printf '%s\n' "$line"
  done < <(sed '/^#/d; /^$/d' "$@")
}

# packages_to_install LINE…: the first set of each line that apt can install; a line of which it has none comes back behind
# `lacking `. {boost} is nothing where the default version is new enough.
packages_to_install() {
  local words candidates line choices choice name boost=1.81
  read -ra words <<<"${*//|/ }"
  candidates=$(LC_ALL=C apt-cache policy libboost-dev "${words[@]//'{boost}'/}" "${words[@]//'{boost}'/1.81}" 2>/dev/null |
    sed -n '/^[^ ]/ { s/:$//; h }; /^  Candidate: [^(]/ { s/.*: //; H; x; s/\n/ /; p }')
  if dpkg --compare-versions "$(sed -n '/^libboost-dev / { s///p; q }' <<<"$candidates")" ge 1.81; then boost=''; fi
  for line in "$@"; do
    line=${line//'{boost}'/$boost}
    IFS='|' read -ra choices <<<"$line"
    for choice in "${choices[@]}"; do
      for name in $choice; do
        if [[ $'\n'$candidates != *$'\n'"$name "* ]]; then continue 2; fi
      done
      for name in $choice; do printf '%s\n' "$name"; done
      continue 2
    done
    printf 'lacking %s\n' "$line"
  done
}

# packages_to_build: sets package_lists to the lists of what the program needs, with its pages. Who has npm from elsewhere has
# no use for Debian's, which conflicts with some of the others.
packages_to_build() {
  package_lists=(deploy/packages.txt)
  if ! command -v npm >/dev/null; then package_lists+=(deploy/pages_packages.txt); fi
}

# install_packages FILE…: apt-get runs only when something is missing.
install_packages() {
  if ! knows_apt; then
    # Who has installed these by hand goes on, and cmake says which it does not find.
    if command -v cmake >/dev/null && command -v ninja >/dev/null; then return; fi
    fail "This system has no apt-get. Install $foundations, then call this again."
  fi
  local missing packages
  mapfile -t missing < <(packages_missing "$@")
  if ((${#missing[@]} == 0)); then return; fi

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      mapfile -t packages < <(packages_to_install "${missing[@]}")
      fail "Packages are missing and there is no sudo. As root, run:" \
        "  apt-get update && apt-get install ${packages[*]#lacking }"
    fi
    as_root=(sudo)
    say "Packages are missing; sudo may ask for your password."
    sudo true
  fi

  local log
  log=$(mktemp)
  if [[ -n $(dpkg --audit) || -n $(ls "${DPKG_ADMINDIR:-/var/lib/dpkg}/updates") ]]; then
    finish_interrupted "$log"
    mapfile -t missing < <(packages_missing "$@")
    if ((${#missing[@]} == 0)); then rm -f "$log" && return; fi
  fi
  if ! "${as_root[@]}" apt-get -q -y -o DPkg::Lock::Timeout=300 update </dev/null >"$log" 2>&1; then
    fail_with_apt 'apt-get update failed (its output is above).' "$log"
  fi
  mapfile -t packages < <(packages_to_install "${missing[@]}")
  if [[ ${packages[*]} == *lacking\ * ]]; then
    local lacking
    mapfile -t lacking < <(printf '%s\n' "${packages[@]}" | sed -n 's/^lacking //p')
    fail_with_apt "No package source of this system has ${lacking[*]}. Debian 12 and 13 and Ubuntu 24.04 with universe do; elsewhere install $foundations, and build with cmake --preset release." "$log"
  fi
  say "Installing ${#packages[@]} packages: ${packages[*]}"
  progress_begin 'Installing packages'
  if ! run_apt "$log" install --no-install-recommends "${packages[@]}"; then
    progress_interrupt
    fail_with_apt 'apt-get install failed (its output is above); when called again, this goes on from there.' "$log"
  fi
  progress_end
  rm -f "$log"
}

# finish_interrupted LOG: apt installs nothing while a package is half installed. What this cannot finish apt-get install
# then tells of; it removes nothing.
finish_interrupted() {
  say 'An earlier installation was interrupted; finishing that first'
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive dpkg --force-confold --configure -a </dev/null >"$1" 2>&1 || true
  progress_begin 'Finishing the earlier installation'
  if run_apt "$1" --fix-broken --no-remove install; then progress_end; else progress_interrupt; fi
}

# run_apt LOG ARGUMENT…: apt makes the descriptor of its status non-blocking. It is not standard output, which the scripts
# of packages inherit where there is no /dev/pts: their messages would fail whenever the pipe is full. sudo closes every
# descriptor but the first three, so the shell behind it moves the pipe out of the way of the log.
run_apt() {
  local log=$1
  shift
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c 'exec "$@" 3>&1 >&2' sh \
    apt-get -q -y -o DPkg::Lock::Timeout=300 -o APT::Status-Fd=3 "$@" </dev/null 2>"$log" | show_apt_progress
}

# show_apt_progress: apt's own progress lines are `dlstatus:item:percent:text` while it downloads and `pmstatus:…` while it
# unpacks, here two halves of one line.
show_apt_progress() {
  local kind percent
  while IFS=: read -r kind _ percent _; do
    percent=${percent%%.*}
    if [[ ! $percent =~ ^[0-9]+$ ]]; then continue; fi
    case $kind in
      dlstatus) progress_show $((percent / 2)) ;;
      pmstatus) progress_show $((50 + percent / 2)) ;;
    esac
  done
}

# fail_with_apt SENTENCE LOG: the log, and the sentence unless the log has a cause that it does not speak of.
fail_with_apt() {
  local sentence=$1 log=$2
  cat "$log" >&2
  if grep -qE 'No space left on device|enough free space' "$log"; then
    sentence='The disk is full: free some space and call this again, which goes on from there.'
  elif grep -qE 'Temporary failure resolving|Could not (resolve|connect)|Unable to connect|Network is unreachable|onnection (timed out|refused|failed)' "$log"; then
    sentence='The package source cannot be reached (see above): look after the network, then call this again.'
  fi
  rm -f "$log"
  fail "$sentence"
}

# install_from_npm: what the lock file in the working directory names; again only when that has changed.
install_from_npm() {
  local lock
  lock=$(sha256sum package-lock.json)
  if [[ $(cat node_modules/.installed-lock 2>/dev/null) == "$lock" ]]; then return; fi
  say 'Installing tools from npm (up to two minutes)'
  npm ci --loglevel=error </dev/null
  printf '%s\n' "$lock" >node_modules/.installed-lock
}

# jobs_at_once: one a core, but not more than memory allows: most files take less than a gigabyte to compile, a few up to two.
jobs_at_once() {
  local cores memory_kib jobs
  cores=$(nproc)
  memory_kib=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo)
  jobs=$((memory_kib / (1024 * 1024)))
  say $((jobs < 1 ? 1 : jobs < cores ? jobs : cores))
}

# configured PRESET: whether build/PRESET can be built in as it is. One that cannot is removed: the cache of another source
# directory would build that one.
configured() {
  local folder=build/$1 why='' source generator compiler
  if [[ ! -e $folder/CMakeCache.txt ]]; then return 1; fi
  source=$(cached "$folder" CMAKE_HOME_DIRECTORY)
  generator=$(cached "$folder" CMAKE_GENERATOR)
  compiler=$(cached "$folder" CMAKE_CXX_COMPILER)
  if [[ ! $source -ef . ]]; then
    why="belongs to the source directory $source"
  elif [[ ! $(cached "$folder" CMAKE_CACHEFILE_DIR) -ef $folder ]]; then
    why='was made at another place'
  elif [[ $generator != Ninja ]]; then
    why="is for $generator, not for Ninja"
  elif [[ -n $compiler ]] && ! command -v "$compiler" >/dev/null; then
    why="is for the compiler $compiler, which is gone"
  elif ! ninja -C "$folder" -t rules >/dev/null 2>&1; then
    why='was not configured to its end'
  else
    return 0
  fi
  say "$folder $why: making it anew"
  rm -rf "$folder"
  return 1
}

cached() { sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt"; }

# configure PRESET [CACHE_ENTRY…]: runs cmake unless the build directory has these entries already; ninja repeats it by
# itself when a CMake file changes.
configure() {
  local preset=$1 entry current=yes
  shift
  if configured "$preset"; then
    for entry in "$@"; do
      if [[ $(cached "build/$preset" "${entry%%=*}") != "${entry#*=}" ]]; then current=no; fi
    done
    if [[ $current == yes ]]; then return; fi
  fi
  say "Configuring build/$preset"
  local log
  log=$(mktemp)
  # On a full disk cmake says nothing and returns 0, and build.ninja is missing.
  if ! cmake --preset "$preset" "${@/#/-D}" >"$log" 2>&1 || ! ninja -C "build/$preset" -t rules >>"$log" 2>&1; then
    cat "$log" >&2
    if grep -q 'No space left on device' "$log" || ! has_space; then fail "$disk_is_full"; fi
    if ! knows_apt; then fail "Configuring failed (the output of cmake is above). The project needs $foundations."; fi
    fail "Configuring failed (the output of cmake is above)."
  fi
  rm -f "$log"
}

disk_is_full='The disk is full: free some space (the build is in build/, the compiler also writes to /tmp) and call this again, which goes on from there.'

# What could not be written is gone when this is asked: a few megabytes are none.
has_space() {
  local folder
  for folder in build build/* "${TMPDIR:-/tmp}"; do
    if [[ -d $folder ]] && (($(df -k --output=avail "$folder" | sed 1d) < 32 * 1024)); then return 1; fi
  done
}

# build PRESET [TARGET…]
build() {
  local preset=$1 status=0
  shift
  progress_begin "Building build/$preset"
  NINJA_STATUS='@%f/%t ' ninja -C "build/$preset" -j "$(jobs_at_once)" "$@" </dev/null 2>&1 | show_ninja_progress || status=$?
  if ((status == 0)); then return; fi
  if ((status == 28)) || ! has_space; then fail "$disk_is_full"; fi
  fail "The build failed (the compiler's output is above)."
}

# Lines that ninja begins with its status move the progress line; everything else is a diagnostic and stays. Returns 28,
# which is ENOSPC, when one of them says that the disk is full.
show_ninja_progress() {
  local line built=no status=0
  while IFS= read -r line; do
    if [[ $line =~ ^@([0-9]+)/([0-9]+)\  ]]; then
      built=yes
      progress_show $((BASH_REMATCH[1] * 100 / BASH_REMATCH[2]))
    elif [[ $line != 'ninja: Entering directory'* && $line != 'ninja: no work to do.' ]]; then
      progress_interrupt
      say "$line"
      if [[ $line == *'No space left on device'* ]]; then status=28; fi
    fi
  done
  if [[ $built == yes ]]; then progress_end; fi
  return "$status"
}
