# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Clean Debian systems in folders, for the scripts beside this file. Sourced, with $work set to a folder of the caller.
# Needs root and mmdebstrap. The mirror and the suite are those of this machine's apt.
suite=${HEFT_DEB_SUITE:-bookworm}
mounted=""

fail() {
  echo "deb: $*" >&2
  exit 1
}
for program in mmdebstrap dpkg-scanpackages; do
  command -v $program >/dev/null || fail "$program was not found (Debian: apt install mmdebstrap dpkg-dev)"
done
[ "$(id -u)" -eq 0 ] || fail "clean systems are made by root"

# mirror: the address from which this machine's apt takes the suite
mirror() {
  # shellcheck disable=SC2016  # apt fills in these names
  apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v suite="$suite" '$1 == suite && $2 == "main" { print $3; exit }'
}

# unmount: undoes all mounts of this script, the last first. A folder is removed only without mounts in it.
unmount() {
  for place in $mounted; do umount "$place" 2>/dev/null || umount -l "$place"; done
  mounted=""
}
# remove <folder>: with nothing mounted in it, and on one file system
remove() {
  if grep -qF " $1/" /proc/mounts; then fail "something is mounted in $1"; fi
  rm -rf --one-file-system "$1"
}
trap unmount EXIT
trap 'exit 1' INT TERM HUP

# attach <what> <place in the chroot>: a folder of this machine inside a system
attach() {
  mkdir -p "$2"
  mount --bind "$1" "$2"
  mounted="$2 $mounted"
}

# base: $work/base.tar, a system with the essential packages, apt and certificates
base() {
  [ -s "$work/base.tar" ] && return 0
  [ -n "$(mirror)" ] || fail "apt of this machine knows no mirror of $suite; run apt-get update"
  mmdebstrap --quiet --variant=minbase --include=ca-certificates --dpkgopt=force-unsafe-io \
    "$suite" "$work/base.part" "$(mirror)" --format=tar
  mv "$work/base.part" "$work/base.tar"
}

# system <name>: a fresh system in $work/<name>, with the network of this machine and a common cache of packages. Its
# path goes to $root.
system() {
  base
  root=$work/$1
  [ ! -e "$root" ] || remove "$root"
  mkdir -p "$root" "$work/archives/partial"
  tar -xf "$work/base.tar" -C "$root" --numeric-owner
  enter "$1"
  inside apt-get -qq update
}
# enter <name>: an existing system again
enter() {
  root=$work/$1
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/heft"
  mkdir -p "$work/archives/partial"
  attach "$work/archives" "$root/var/cache/apt/archives"
  mount -t proc proc "$root/proc"
  mounted="$root/proc $mounted"
  attach /dev "$root/dev"
}

# inside <command...>: in $root, with a small environment
inside() {
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
    DEBIAN_FRONTEND=noninteractive TZ="${TZ:-UTC}" DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-}" chroot "$root" "$@"
}

# offer <folder of packages>: apt of $root finds them
offer() {
  (cd "$1" && dpkg-scanpackages --multiversion . >Packages 2>/dev/null)
  attach "$1" "$root/srv/packages"
  echo 'deb [trusted=yes] file:/srv/packages ./' >"$root/etc/apt/sources.list.d/heft.list"
  inside apt-get -qq update
}
