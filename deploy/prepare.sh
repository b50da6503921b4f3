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

# packages_missing FILE…: the packages named in the files that dpkg does not know as installed.
packages_missing() {
  local names installed
  mapfile -t names < <(sed '/^#/d; /^$/d' "$@")
  # It fails when there is one that it never heard of, and still lists the others.
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Abbrev}\n' "${names[@]}" 2>/dev/null | sed -n 's/ ii *$//p') || true
  printf '%s\n' "${names[@]}" | grep -vxF "$installed" || true
}

# install_packages FILE…: apt-get runs only when something is missing.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    fail "This is made for Debian 12 and installs its packages with apt-get, which is not here." \
      "Elsewhere, install what these name and build with cmake --preset release: $*"
  fi
  local missing
  mapfile -t missing < <(packages_missing "$@")
  if ((${#missing[@]} == 0)); then return; fi

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      fail "Packages are missing and there is no sudo. As root, run:" "  apt-get update && apt-get install ${missing[*]}"
    fi
    as_root=(sudo)
    say "Packages are missing; sudo may ask for your password."
    sudo true
  fi

  say "Installing ${#missing[@]} packages: ${missing[*]}"
  local log
  log=$(mktemp)
  local apt_get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  if ! "${apt_get[@]}" update </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    fail "apt-get update failed (its output is above)."
  fi
  progress_begin 'Installing packages'
  if ! "${apt_get[@]}" -o APT::Status-Fd=1 install --no-install-recommends "${missing[@]}" </dev/null 2>&1 |
    show_apt_progress "$log"; then
    progress_interrupt
    cat "$log" >&2
    fail "apt-get install failed (its output is above)."
  fi
  progress_end
  rm -f "$log"
}

# show_apt_progress LOG: apt's own progress lines are `dlstatus:item:percent:text` while it downloads and `pmstatus:…`
# while it unpacks, here two halves of one line. (They come on standard output because sudo closes every other descriptor.)
show_apt_progress() {
  local line percent
  while IFS= read -r line; do
    case $line in
      dlstatus:* | pmstatus:*)
        percent=$(cut -d: -f3 <<<"$line")
        percent=${percent%%.*}
        if [[ $line == dlstatus:* ]]; then progress_show $((percent / 2)); else progress_show $((50 + percent / 2)); fi
        ;;
      *) printf '%s\n' "$line" >>"$1" ;;
    esac
  done
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

# jobs_at_once: one a core, but not more than memory allows: the largest files take a gigabyte to compile.
jobs_at_once() {
  local cores memory_kib jobs
  cores=$(nproc)
  memory_kib=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo)
  jobs=$((memory_kib / (1024 * 1024)))
  say $((jobs < 1 ? 1 : jobs < cores ? jobs : cores))
}

# configure PRESET [CACHE_ENTRY…]: runs cmake unless the build directory has these entries already; ninja repeats it by
# itself when a CMake file changes.
configure() {
  local preset=$1 cache=build/$1/CMakeCache.txt entry current=yes
  shift
  if [[ -f build/$preset/build.ninja ]]; then
    for entry in "$@"; do grep -q "^${entry%%=*}:[A-Z]*=${entry#*=}\$" "$cache" || current=no; done
    if [[ $current == yes ]]; then return; fi
  fi
  say "Configuring build/$preset"
  local log
  log=$(mktemp)
  if ! cmake --preset "$preset" "${@/#/-D}" >"$log" 2>&1; then
    cat "$log" >&2
    fail "Configuring failed (the output of cmake is above)."
  fi
  rm -f "$log"
}

# build PRESET [TARGET…]
build() {
  local preset=$1
  shift
  progress_begin "Building build/$preset"
  if ! NINJA_STATUS='@%f/%t ' ninja -C "build/$preset" -j "$(jobs_at_once)" "$@" </dev/null 2>&1 | show_ninja_progress; then
    fail "The build failed (the compiler's output is above)."
  fi
}

# Lines that ninja begins with its status move the progress line; everything else is a diagnostic and stays.
show_ninja_progress() {
  local line built=no
  while IFS= read -r line; do
    if [[ $line =~ ^@([0-9]+)/([0-9]+)\  ]]; then
      built=yes
      progress_show $((BASH_REMATCH[1] * 100 / BASH_REMATCH[2]))
    elif [[ $line != 'ninja: Entering directory'* && $line != 'ninja: no work to do.' ]]; then
      progress_interrupt
      say "$line"
    fi
  done
  if [[ $built == yes ]]; then progress_end; fi
}
