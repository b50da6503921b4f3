# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
# shellcheck shell=bash
#
# What ./deploy/release does for 64-bit ARM alone. To be sourced by it.

# prepare_arm64: fetches what deploy/packages.txt has for this system as it is on ARM, into build/arm64-root.
prepare_arm64() {
  local wanted boost root=build/arm64-root
  boost=$(dpkg-query -W -f='${Package} ${db:Status-Abbrev}\n' | sed -n 's/^libboost\(1\.[0-9]*\)-dev .i *$/\1/p')
  mapfile -t wanted < <(sed -n "/-dev\$/ { s/{boost}/$boost/; p }" deploy/packages.txt)
  say "Fetching ${#wanted[@]} libraries for ARM64"
  deploy/packaging/release/arm64_root "$root" "${wanted[@]}"
  # For dpkg-shlibdeps, which CPack calls.
  export DEB_HOST_ARCH=arm64 DPKG_ADMINDIR
  DPKG_ADMINDIR=$(realpath "$root")/var/lib/dpkg
}

# start_under_emulator TREE FOLDER: serves from it, and asks once; its files are in FOLDER. The emulator has no 64 GiB of addresses for the store.
start_under_emulator() {
  local folder=$2 server emulator=(qemu-aarch64 -L build/arm64-root)
  say 'Starting it under the emulator'
  mkdir "$folder"
  : >"$folder/said"
  "${emulator[@]}" "$1/bin/petstore" serve --demo --store "lmdb:$folder/store" --store-size 1GiB \
    --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0 >"$folder/said" 2>"$folder/log" &
  server=$!
  until grep -q '^demo key' "$folder/said"; do
    if ! kill -0 "$server" 2>/dev/null; then cat "$folder/log" >&2 && fail 'The program for ARM64 does not start.'; fi
    sleep 0.2
  done
  curl -sSf -o /dev/null "$(sed -n 's#^admin on ##p' "$folder/said")/readyz"
  curl -sSf -o /dev/null -H "Authorization: Bearer $(sed -n 's/^demo key //p' "$folder/said")" \
    "$(sed -n 's/^listening on //p' "$folder/said")/pets"
  kill -TERM "$server"
  wait "$server"
  "${emulator[@]}" "$1/bin/petstore-load" --help >/dev/null
}
