#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fetches Debian's sources of the libraries that heft_io needs (expat, qhull, libpng, zlib, zstd) and of cmocka, for
# the preset wasm-simd: Debian has them compiled for its own machines, not for WebAssembly. Needs no root and no
# deb-src line: apt gets a configuration of its own in FOLDER, with a deb-src line for every Debian mirror that
# this machine installs from. apt checks the signatures; dpkg-source applies Debian's patches.
# What is there already is kept; remove FOLDER to fetch it again.
# usage: wasm_sources.sh FOLDER     leaves FOLDER/expat, FOLDER/qhull, ...
set -eu

[ $# -eq 1 ] || { echo "usage: wasm_sources.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
wanted="expat qhull libpng1.6 zlib libzstd cmocka"
missing=
for package in $wanted; do [ -e "$folder/$package/.unpacked" ] || missing="$missing $package"; done
[ -n "$missing" ] || exit 0

for program in apt-get dpkg-source; do
  command -v $program >/dev/null || {
    echo "wasm_sources.sh: $program was not found; on Debian run: apt-get install apt dpkg-dev. Elsewhere unpack" \
      "the sources of$missing into folders of these names in $folder, and touch FOLDER/NAME/.unpacked" >&2
    exit 1
  }
done

apt=$folder/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$folder/packages"
# Mirrors of Debian as apt knows them, whatever the form of the lists. The last part of the address tells them
# from archives of others, which may have no sources.
key=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e $key ] && signed="[signed-by=$key] " || signed=
# shellcheck disable=SC2016  # apt fills in these names
apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
  sort -u | while read -r address release component; do
    case ${address%/} in */debian | */debian-security) ;; *) continue ;; esac
    [ "$component" = main ] || continue
    echo "deb-src $signed$address $release main"
  done >"$apt/sources.list"
[ -s "$apt/sources.list" ] || {
  echo "wasm_sources.sh: apt has no mirror of Debian; add one to /etc/apt/sources.list, for example" \
    "'deb http://deb.debian.org/debian bookworm main'" >&2
  exit 1
}

own() {
  apt-get -q -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=- \
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}
# fetch <package>: the newest version that a mirror has. A mirror may lag behind its own index of security
# updates; then the version of the release itself is taken, and the line says so.
fetch() {
  own source --download-only "$1" >>"$apt/log" 2>&1 && return 0
  while read -r line; do
    line=${line% main} release=${line##* }
    own source --download-only "$1/$release" >>"$apt/log" 2>&1 || continue
    echo "wasm_sources.sh: the newest $1 cannot be fetched; took that of $release"
    return 0
  done <"$apt/main.list"
  return 1
}
grep -v -e -security "$apt/sources.list" >"$apt/main.list"
: >"$apt/log"
own update >>"$apt/log" 2>&1 || true
for package in $missing; do
  (cd "$folder/packages" && fetch "$package") && continue
  tail -n 5 "$apt/log" >&2
  echo "wasm_sources.sh: the source of $package could not be fetched from the mirrors in $apt/sources.list; check" \
    "the network, or unpack it as $folder/$package yourself and touch $folder/$package/.unpacked" >&2
  exit 1
done
for package in $missing; do
  rm -rf "${folder:?}/$package"
  description=$(find "$folder/packages" -name "${package}_*.dsc" | sort | tail -n 1)
  dpkg-source --no-check --no-copy -x "$description" "$folder/$package" >>"$apt/log" 2>&1 || {
    tail -n 5 "$apt/log" >&2
    exit 1
  }
  touch "$folder/$package/.unpacked"
  echo "unpacked $(basename "$description" .dsc)"
done
