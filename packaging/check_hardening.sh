#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Looks at what an installation of Heft contains, in the manner of checksec: programs are position independent, no stack
# is executable, relocations are read-only after the start, calls of the C library are fortified, no library is searched in a folder
# of the build. Each file has canaries, those functions of the core too that read bytes, and on x86 the note on shadow stacks.
# usage: check_hardening.sh BUILD_FOLDER     installs into a scratch folder
set -eu
build=${1:?usage: check_hardening.sh BUILD_FOLDER}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cmake --install "$build" --prefix "$work/root" >/dev/null
errors=0
wrong() {
  echo "$1: $2"
  errors=$((errors + 1))
}
find "$work/root" -type f | LC_ALL=C sort >"$work/all"
while read -r file; do
  head -c 4 "$file" | grep -q ELF && echo "$file"
done <"$work/all" >"$work/files" || true
[ -s "$work/files" ] || { echo "hardening: nothing was installed" >&2; exit 1; }
fortified=0
readers="heft_model_apply_change heft_world_restore heft_session_restore"
# has_canary FILE FUNCTION
has_canary() {
  objdump -d --no-show-raw-insn --disassemble="$2" "$1" | grep -q '__stack_chk_fail'
}
while read -r file; do
  name=${file#"$work"/root/}
  readelf -hldW "$file" >"$work/head"
  readelf --dyn-syms -W "$file" >"$work/symbols"
  grep -q 'Type:.*DYN' "$work/head" || wrong "$name" "is not position independent"
  grep 'GNU_STACK' "$work/head" | grep -q 'RWE' && wrong "$name" "has an executable stack"
  grep -q 'GNU_RELRO' "$work/head" || wrong "$name" "relocations stay writable (no RELRO)"
  grep -qE 'BIND_NOW|Flags:.*NOW' "$work/head" || wrong "$name" "functions are bound late (no -z now)"
  sed -nE 's/.*(RPATH|RUNPATH).*\[(.*)\]/\2/p' "$work/head" | tr ':' '\n' | while read -r path; do
    case $path in "" | '$ORIGIN'*) ;; *) echo "$path" ;; esac
  done >"$work/paths"
  [ ! -s "$work/paths" ] || wrong "$name" "libraries are searched in $(tr '\n' ' ' <"$work/paths")"
  grep -q '__stack_chk_fail' "$work/symbols" || wrong "$name" "no function has a canary"
  case $(uname -m) in
    x86_64 | i?86) readelf -nW "$file" 2>/dev/null | grep -q SHSTK || wrong "$name" "has no note on shadow stacks" ;;
  esac
  case $name in
    */libheft.so.*) for function in $readers; do has_canary "$file" "$function" || wrong "$name" "$function has no canary"; done ;;
  esac
  grep -qE '_chk(@|$)' "$work/symbols" && fortified=$((fortified + 1))
done <"$work/files"
count=$(wc -l <"$work/files")
[ "$fortified" -gt 0 ] || wrong "all files" "no call of the C library is fortified"
echo "hardening: $count files with canaries, $fortified with fortified calls, $errors mistakes"
[ "$errors" -eq 0 ]
