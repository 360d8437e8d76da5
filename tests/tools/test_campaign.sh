#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/campaign.py: counts, shards, merging, the smallest set of inputs, the ledger and its page, by programs that
# play libFuzzer in a tree of their own.
. tests/tools/plant.sh
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

tree=$work/tree
mkdir -p "$tree/tools" "$tree/tests/fuzz/corpus/good" "$tree/docs/manual" "$tree/src" "$work/bin"
cp tools/campaign.py "$tree/tools/"
cd "$tree"
printf 'good src/good.c\nbad src/bad.c\n' >tests/fuzz/readers.txt
for target in good bad; do
  echo "int $target;" >src/$target.c
  echo "int fuzz_$target;" >tests/fuzz/fuzz_$target.c
done
printf 'kept' >tests/fuzz/corpus/good/first
printf 'before\n<!-- campaign: begin; tools/campaign.py page -->\n<!-- campaign: end -->\nbehind\n' >docs/manual/trust.md

# Does what it is asked to: as many runs as told; one input more in its first folder; the merged inputs are those with
# one byte; the bad one stops after ten executions.
cat >"$work/bin/fuzz_good" <<'PROGRAM'
#!/usr/bin/env python3
import hashlib, os, sys
options = dict(a[1:].split("=", 1) for a in sys.argv[1:] if a.startswith("-"))
folders = [a for a in sys.argv[1:] if not a.startswith("-")]
if "merge" in options:
    for folder in folders[1:]:
        for name in os.listdir(folder):
            data = open(os.path.join(folder, name), "rb").read()
            if len(data) == 1 or "corpus" in folder:
                open(os.path.join(folders[0], hashlib.sha1(data).hexdigest()), "wb").write(data)
    sys.exit(0)
for at, folder in enumerate(folders[:1] if options["runs"] != "0" else []):
    n = len(os.listdir(folder))
    data = b"a" * (n + 1)
    open(os.path.join(folder, hashlib.sha1(data).hexdigest()), "wb").write(data)
inputs = sum(len(os.listdir(f)) for f in folders)
bad = os.path.basename(sys.argv[0]) == "fuzz_bad"
if options.get("seed"):
    print("seed", options["seed"], "of", options.get("seed_inputs", "none").count("/corpus/"))
if bad:
    print("#7 NEW\n#10 pulse")
    open(options["artifact_prefix"] + "crash-0123", "w").write("broken")
    sys.exit(77)
print("stat::number_of_executed_units:", inputs if options["runs"] == "0" else options["runs"])
PROGRAM
cp "$work/bin/fuzz_good" "$work/bin/fuzz_bad"
chmod +x "$work/bin/fuzz_good" "$work/bin/fuzz_bad"

# campaign <folder> <arguments...>
campaign() {
  state=$1
  shift
  python3 tools/campaign.py "$@" --state "$work/$state" --programs "$work/bin"
}
# says <what> <text> <command...>: succeeds and prints the text
says() {
  what=$1 text=$2
  shift 2
  if "$@" >"$work/output" 2>&1 && grep -qF -- "$text" "$work/output"; then
    echo "ok: $what"
  else
    echo "NOT ok: $what: \"$text\" is not in:"
    cat "$work/output"
    failures=$((failures + 1))
  fi
}

says "a shard has its part of the executions" "5000 executions" campaign one run --runs 10000 --shard 1/2 good
says "another machine has its own" "5000 executions" campaign two run --runs 10000 --shard 1/2 good
says "what is done is not done again" "0 findings in this call" campaign one run --runs 10000 --shard 1/2 good
says "the table has the executions" "| good | 0.0050 |" campaign one table
passes "campaigns are merged" campaign one merge "$work/two"
says "the sum is that of both, also where the machines share their name" "| good | 0.01 |" campaign one table
passes "they are merged again" campaign one merge "$work/two"
says "the sum is the same" "| good | 0.01 |" campaign one table
fails "a folder that is no campaign" "not a campaign" campaign one merge "$work/bin"
fails "a target that does not exist" "there is no target god" campaign one run god
fails "a shard beyond the last" "1 <= i <= n" campaign one run --shard 3/2

fails "a finding makes the command fail" "FOUND 1" campaign one run --runs 10000 bad --minutes 0.001
says "executions until the finding are counted" "| bad | 0.0000 | 0.0000 |" campaign one table
passes "what was said is kept beside the input" grep -q pulse "$work/one/findings/bad-crash-0123.log"

campaign one run --runs 30000 good >/dev/null
printf 'more than a byte' >"$work/one/inputs/good/long"
says "inputs are minimised, and those of the repository stay there alone" "good: 1 of" campaign one minimise good
says "every input is run with AddressSanitizer" "2 executions" campaign one replay good

passes "counts go to the ledger" campaign one record
says "the page has them" "| good | 0.04 |" cat docs/manual/trust.md
says "the rest of the page is as it was" "behind" tail -n 1 docs/manual/trust.md
cp tests/fuzz/ledger.tsv "$work/ledger"
passes "recording twice" campaign one record
passes "counts nothing twice" cmp tests/fuzz/ledger.tsv "$work/ledger"
passes "page and ledger agree" campaign one page --check
echo "int changed;" >>src/good.c
says "after a change, executions of a reader count from zero" "| good | 0.0000 | 0.04 |" campaign one table
passes "and the page stays" campaign one page --check
sed -i 's/| good | 0.04 |/| good | 9.04 |/' docs/manual/trust.md
fails "a page with another number" "differs from tests/fuzz/ledger.tsv" campaign one page --check
printf 'cut\toff\n' >>tests/fuzz/ledger.tsv
fails "a cut line of the ledger" "not a row of counts" campaign one page

says "the brief search has one seed and the kept inputs" "10000 executions" campaign three brief good
fails "and shows what was found" "seed 1 of 0" campaign three brief good bad
rm src/bad.c
fails "a reader without its file" "no file matches src/bad.c" campaign one table
finish
