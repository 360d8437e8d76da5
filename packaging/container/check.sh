#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the lines of Containerfile in chroots that mmdebstrap makes, one for each FROM: what `podman build` does, without podman. Each line
# runs in a mount namespace of its own, which alone has /proc; it ends with the line, so that removing a chroot cannot reach anything outside
# of it. Needs root, mmdebstrap and a mirror of Debian.
# usage: check.sh [--keep] [FOLDER]     FOLDER: for the chroots, default /tmp; --keep leaves them there
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
keep=0
[ "${1:-}" != --keep ] || { keep=1 && shift; }
fail() {
  echo "container: $1" >&2
  exit 1
}
skip() {
  echo "skipped: $1"
  exit 77
}
[ "$(id -u)" -eq 0 ] || skip "chroots need root"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
work=$(mktemp -d "${1:-/tmp}/heft-container-XXXXXX")

clean() {
  code=$?
  trap - EXIT
  if grep -q " $work/" /proc/self/mounts; then
    echo "container: something is mounted in $work; it is left there" >&2
  elif [ "$keep" = 1 ]; then
    echo "the chroots are in $work"
  else
    rm -rf --one-file-system "$work"
  fi
  exit $code
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

# One line per instruction: comments out, continued lines joined.
sed -e '/^ *#/d' -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' "$here/Containerfile" | grep -v '^ *$' >"$work/lines"

stage='' user=root variables='' place=/
# inside <command>: runs it in the chroot of the stage, as the user and in the folder of the lines so far
inside() {
  # shellcheck disable=SC2086,SC2016  # a list of assignments; the inner shell fills in its own arguments
  unshare --mount --pid --fork sh -c 'mount -t proc proc "$1/proc" && shift && exec "$@"' sh "$work/$stage" \
    chroot --userspec="$user" "$work/$stage" /usr/bin/env -i HOME=/tmp PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    $variables sh -eu -c "cd '$place' && $1"
}

number=0
while read -r word rest; do
  number=$((number + 1))
  echo "[$number/$(wc -l <"$work/lines")] $word $rest" | cut -c 1-120
  case $word in
    FROM)
      case $rest in
        "debian:12-slim AS "*) stage=${rest##* } ;;
        debian:12-slim) stage=last ;;
        *) fail "line '$word $rest': this script knows debian:12-slim alone" ;;
      esac
      user=root variables='' place=/
      mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$work/$stage" ||
        fail "mmdebstrap failed; a mirror of Debian must be in /etc/apt/sources.list"
      # Names of mirrors, and how they are reached, as on this machine.
      cp -R /etc/apt/apt.conf.d /etc/apt/sources.list* "$work/$stage/etc/apt/" 2>/dev/null || true
      cp /etc/resolv.conf /etc/hosts "$work/$stage/etc/" 2>/dev/null || true
      ;;
    ENV) variables="$variables $rest" ;;
    WORKDIR) place=$rest && mkdir -p "$work/$stage$rest" ;;
    USER) user=$rest ;;
    COPY)
      # shellcheck disable=SC2086  # the parts of the line
      set -- $rest
      case $1 in
        --from=*) from=$work/${1#--from=}$2 to=$work/$stage$3 && mkdir -p "$to" && cp -a "$from." "$to" ;;
        .) to=$work/$stage$2 && mkdir -p "$to" && (cd "$root" && { git ls-files -z 2>/dev/null || find . -path ./build -prune -o -type f -print0; } |
          tar c --null -T -) | tar x -C "$to" --no-same-owner ;;
        *) fail "line '$word $rest' is not understood" ;;
      esac
      ;;
    RUN) inside "$rest" </dev/null || fail "line '$word $rest' failed" ;;
    ENTRYPOINT) entry=$(echo "$rest" | sed 's/[]["]//g') ;;
    CMD) ;;
    *) fail "line '$word $rest' is not understood" ;;
  esac
done <"$work/lines"
version=$(inside "$entry --version")
echo "container: $version, $(du -sm --exclude=./proc "$work/$stage" | cut -f 1) MB; all $number lines ran"
