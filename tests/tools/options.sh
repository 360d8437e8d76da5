#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/options_page.py notices an option that the page lacks, an option that is gone, and one that no help has.
# usage: options.sh <heft> <folder of scenes>
set -eu
heft=$1
cd "$2/.."
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "NOT ok: $*"; bad=1; }

# planted <sed command>: a command whose help of the verb check differs by it. Each help is asked of the real one once.
planted() {
  cat >"$work/heft" <<END
#!/bin/sh
answer="$work/\$(echo "\$*" | tr ' ' _)"
[ -e "\$answer" ] || "$heft" "\$@" >"\$answer"
if [ "\$1" = check ]; then sed '$1' "\$answer"; else cat "\$answer"; fi
END
  chmod +x "$work/heft"
}
# fails <what> <part of the message>
fails() {
  if tools/options_page.py --check "$work/heft" >"$work/out" 2>&1; then complain "$1 is not noticed"; fi
  grep -qF -- "$2" "$work/out" || { complain "$1: the message lacks '$2'"; cat "$work/out"; }
}

planted ''
tools/options_page.py --check "$work/heft" || complain "the page differs from the help"
planted '/--strict/a\  --planted N            an option that the page does not have'
fails "an option that the page lacks" "out of date"
planted '/--strict/d'
fails "an option that is gone" "out of date"

mkdir "$work/sources"
cp apps/heft/check.c "$work/sources/"
echo 'int planted(const char* s) { return strcmp(s, "--planted-option") == 0; }' >>"$work/sources/check.c"
planted ''
export HEFT_OPTION_SOURCES="$work/sources"
fails "an option that no help has" "check.c: no help has the option --planted-option"
[ "$bad" = 0 ] && echo "ok: planted options are noticed"
exit "$bad"
