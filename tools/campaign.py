#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A campaign of fuzzing: every target in slices of time, in turn, until each has the executions asked for.

  campaign.py run [target...]    build the targets, fuzz, keep inputs, findings and counts; begins again where it ended
  campaign.py brief [target...]  a fixed number of executions with a fixed seed, the same search each time; for the gate
  campaign.py replay [target...] every input once with AddressSanitizer, those of the campaign and the kept ones
  campaign.py merge FOLDER...    take over the counts, inputs and findings of campaigns on other machines
  campaign.py minimise [target...]  keep the smallest set of inputs that reaches the same code
  campaign.py coverage [target...]  lines of the reader's files that the inputs reach (tools/coverage.py, gcc)
  campaign.py table              a table of all targets, as Markdown: what counts for the present text of the readers
  campaign.py record             add the counts to tests/fuzz/ledger.tsv, and make the table of docs/manual/trust.md from it
  campaign.py page [--check]     that table alone; --check changes nothing and fails if the page differs from the ledger

The folder of a campaign (--state, build/campaign by default) has
  name               of this campaign, drawn at random: machines may share a host name
  inputs/TARGET/     inputs that reach new code, beside those of tests/fuzz/corpus/TARGET
  findings/          TARGET-crash-..., TARGET-timeout-...: the input; the same name with .log: what was said
  counts/NAME-SHARD.tsv  a row per slice: target, digest of the reader's files, version, preset, date, executions,
                     seconds of a processor, findings
  coverage.tsv       a row per target: digest, version, date, lines reached, lines
Executions are those that libFuzzer counts (stat::number_of_executed_units, or its last progress line after a finding).

Executions count for a reader as long as its files (tests/fuzz/readers.txt) and its target are unchanged: the table adds up the
rows with the present digest, and all rows. On many machines, each runs one shard with its own numbers at random:

  machine 1   tools/campaign.py run --shard 1/3 --minutes 600
  machine 2   tools/campaign.py run --shard 2/3 --minutes 600
  machine 3   tools/campaign.py run --shard 3/3 --minutes 600
  then        tools/campaign.py merge FOLDER_OF_2 FOLDER_OF_3 && tools/campaign.py minimise && tools/campaign.py table
With --shard i/n, the goal of each target is its n-th part. docs/internals/fuzzing.md says more."""
import argparse
import concurrent.futures
import datetime
import glob
import hashlib
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
import typing

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The longest input; without a line, 4096 bytes. Two shapes and a pose are few bytes; lists of numbers and single messages say
# nothing new in their fourth kilobyte.
LENGTH = {"collision": 64, "packet": 512, "compiled": 512, "step": 256, "obj": 1024, "stl": 1024, "queue": 1024, "haply": 1024,
          "link": 1024, "secure": 192, "snapshot": 128}
# Executions of `brief`: about three seconds of a processor for each target with AddressSanitizer.
BRIEF = {"collision": 15_000, "compiled": 15_000, "grid": 60_000, "haply": 200_000, "link": 80_000, "mcap": 10_000, "mjcf": 12_000,
         "msh": 20_000, "obj": 100_000, "packet": 300_000, "pieces": 2_000, "plan": 60_000, "png": 40_000, "problem": 10_000,
         "queue": 100_000, "secure": 25_000, "serve": 120_000, "snapshot": 2_000, "srdf": 8_000, "step": 1_000, "stl": 80_000, "urdf": 40_000}
# Builds of the programs: the preset fuzz, or one for the bulk, with one sanitizer and without comparisons.
KINDS = {"fuzz": [],
         "fuzz-fast": ["-DCMAKE_C_FLAGS_DEBUG=-O2 -g1", "-DHEFT_SANITIZE=undefined", "-DHEFT_FUZZ_COMPARISONS=OFF"]}
LEDGER = os.path.join(ROOT, "tests/fuzz/ledger.tsv")
PAGE = os.path.join(ROOT, "docs/manual/trust.md")
BEGIN, END = "<!-- campaign: begin; tools/campaign.py page -->\n", "<!-- campaign: end -->\n"


def readers():
    table = {}
    with open(os.path.join(ROOT, "tests/fuzz/readers.txt")) as f:
        for number, line in enumerate(f, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            files = []
            for pattern in words[1:]:
                found = sorted(glob.glob(pattern, root_dir=ROOT))
                if not found:
                    sys.exit(f"tests/fuzz/readers.txt:{number}: no file matches {pattern}; name the reader's files")
                files += found
            table[words[0]] = sorted(set(files))
    targets = {os.path.basename(p)[5:-2] for p in glob.glob(os.path.join(ROOT, "tests/fuzz/fuzz_*.c"))}
    for target in sorted(targets - set(table)):
        sys.exit(f"tests/fuzz/readers.txt: no line for {target}; name the files that fuzz_{target}.c is to reach")
    for target in sorted(set(table) - targets):
        sys.exit(f"tests/fuzz/readers.txt: there is no tests/fuzz/fuzz_{target}.c; remove the line {target}")
    return table


def digest(target, files):
    """The text of the reader's files and of its target, without comments and layout."""
    h = hashlib.sha256()
    for path in files + [f"tests/fuzz/fuzz_{target}.c"]:
        with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as f:
            text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", f.read(), flags=re.S)
        h.update(re.sub(r"\s+", " ", text).encode())
    return h.hexdigest()[:12]


def version():
    out = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True)
    return out.stdout.strip() or "unknown"


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Row(typing.NamedTuple):
    campaign: str  # and its shard
    target: str
    digest: str
    version: str
    preset: str
    date: str  # of a row of the ledger, the last
    executions: int
    seconds: float  # of a processor
    findings: int

    def text(self):
        return "\t".join([*self[:6], str(self.executions), f"{self.seconds:.1f}", str(self.findings)])


def read_row(path, number, words):
    """A cut line would make counts wrong in silence."""
    try:
        return Row(*words[:6], int(words[6]), float(words[7]), int(words[8]))
    except (IndexError, TypeError, ValueError):
        sys.exit(f"{path}:{number}: not a row of counts: {words}; remove the line, or take the file of a copy")


def rows(state):
    for path in sorted(glob.glob(os.path.join(state, "counts", "*.tsv"))):
        with open(path) as f:
            for number, line in enumerate(f, 1):
                yield read_row(path, number, [os.path.basename(path)[:-4], *line.rstrip("\n").split("\t")])


def ledger():
    if not os.path.exists(LEDGER):
        return
    with open(LEDGER) as f:
        for number, line in enumerate(f, 1):
            if not line.startswith("#"):
                yield read_row(LEDGER, number, line.rstrip("\n").split("\t"))


def name_of(state):
    path = os.path.join(state, "name")
    if not os.path.exists(path):
        with open(path, "w") as f:
            f.write(secrets.token_hex(4) + "\n")
    with open(path) as f:
        return f.read().strip()


def corpus(state, target):
    folders = [os.path.join(state, "inputs", target), os.path.join(ROOT, "tests/fuzz/corpus", target)]
    os.makedirs(folders[0], exist_ok=True)
    return [f for f in folders if os.path.isdir(f)]


def build(kind, targets):
    folder = os.path.join(ROOT, "build", kind)
    subprocess.run(["cmake", "--preset", "fuzz", "-B", folder, *KINDS[kind]], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", *targets], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def program_of(args, target):
    return os.path.join(args.programs or os.path.join(ROOT, "build", args.preset, "bin"), f"fuzz_{target}")


def executions_in(text):
    """As libFuzzer counts them; after a finding, those until its last progress line."""
    found = re.findall(r"^stat::number_of_executed_units: *(\d+)", text, re.M)
    return int(found[-1]) if found else max([int(x) for x in re.findall(r"^#(\d+)", text, re.M)] or [0])


def search_options(target):
    # An input may have thousands of features; the other schedule would take a third of the time for its bookkeeping.
    options = [f"-max_len={LENGTH.get(target, 4096)}", "-entropic=0"]
    dictionary = os.path.join(ROOT, f"tests/fuzz/{target}.dict")
    return options + ([f"-dict={dictionary}"] if os.path.exists(dictionary) else [])


def brief(args, target):
    """What was said, or None if nothing was found. The same executions each time: neither the time nor the order in which a folder
    lists its files takes part, nor compared values (-use_cmp=0), because compared pointers differ from run to run. So the result
    belongs to the source and not to the machine; a processor that others use must not be a finding, so the limit of time is long."""
    folder = os.path.join(args.state, "findings")
    os.makedirs(folder, exist_ok=True)
    kept = os.path.join(ROOT, "tests/fuzz/corpus", target)
    seeds = [os.path.join(kept, name) for name in sorted(os.listdir(kept))] if os.path.isdir(kept) else []
    command = [program_of(args, target), "-seed=1", f"-runs={BRIEF.get(target, 10000)}", "-reload=0", "-use_cmp=0",
               f"-timeout={max(args.timeout, 300)}", "-print_final_stats=1", f"-artifact_prefix={folder}/{target}-", *search_options(target)]
    if seeds:
        command.append("-seed_inputs=" + ",".join(seeds))
    began = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said = done.stdout.decode(errors="replace")
    print(f"{target:10} {executions_in(said):9d} executions {time.monotonic() - began:6.1f} s{'' if done.returncode == 0 else '  FOUND'}",
          flush=True)
    return None if done.returncode == 0 else said


def all_briefly(args, targets):
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        found = [said for said in pool.map(lambda t: brief(args, t), targets) if said is not None]
    for said in found:
        print(said)
    return len(found)


class Campaign:
    def __init__(self, args, targets):
        self.args, self.targets = args, targets
        self.state = os.path.abspath(args.state)
        self.table = readers()
        self.digests = {t: digest(t, self.table[t]) for t in targets}
        self.version = version()
        for folder in ("inputs", "findings", "counts", "logs"):
            os.makedirs(os.path.join(self.state, folder), exist_ok=True)
        self.index, self.count = (int(x) for x in args.shard.split("/"))
        shard = f"{name_of(self.state)}-{self.index}of{self.count}"
        self.own = os.path.join(self.state, "counts", f"{shard}.tsv")
        self.done = {t: [0, 0.0] for t in targets}  # executions of this shard since the last change, seconds of a processor
        for row in rows(self.state):
            if row.campaign == shard and row.target in self.done and row.digest == self.digests[row.target]:
                self.done[row.target][0] += row.executions
                self.done[row.target][1] += row.seconds
        self.findings = 0

    def search(self, target):
        """What libFuzzer is to do in a slice."""
        left = self.args.runs // self.count - self.done[target][0]
        return [f"-max_total_time={self.args.slice}", f"-runs={max(left, 1000)}", *search_options(target)]

    def slice(self, target, options):
        """One process of one target."""
        a = self.args
        log = os.path.join(self.state, "logs", f"{target}.log")
        prefix = os.path.join(self.state, "findings", f"{target}-")
        before = set(glob.glob(prefix + "*"))
        options = [*options, f"-timeout={a.timeout}", "-rss_limit_mb=2048", "-print_final_stats=1", f"-artifact_prefix={prefix}"]
        with open(log, "w") as f:
            process = subprocess.Popen(["nice", "-n", "19", program_of(a, target), *options, *corpus(self.state, target)], cwd=ROOT,
                                       stdout=f, stderr=subprocess.STDOUT)
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = 0  # it is gone; what it found is seen below
        seconds = used.ru_utime + used.ru_stime
        with open(log, errors="replace") as f:
            text = f.read()
        executions = executions_in(text)
        fresh = sorted(p for p in set(glob.glob(prefix + "*")) - before if not os.path.basename(p).startswith(f"{target}-slow-unit"))
        for path in fresh:
            shutil.copy(log, path + ".log")
        return target, executions, seconds, len(fresh)

    def keep(self, target, executions, seconds, findings):
        self.done[target][0] += executions
        self.done[target][1] += seconds
        self.findings += findings
        row = Row("", target, self.digests[target], self.version, self.args.preset, today(), executions, seconds, findings)
        with open(self.own, "a") as f:
            f.write(row.text().partition("\t")[2] + "\n")
        rate = executions / max(seconds, 1e-3)
        print(f"{today()} {target:10} {executions:9d} executions {rate:8.0f}/s  {self.done[target][0]:11d} since the last change"
              f"{'  FOUND ' + str(findings) if findings else ''}", flush=True)

    def speed(self, target):
        executions, seconds = self.done[target]
        return executions / seconds if seconds > 0 else float("inf")

    def run(self):
        """The fastest target first; a round gives each target one slice."""
        end = time.monotonic() + 60 * self.args.minutes
        goal = self.args.runs // self.count
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            while time.monotonic() < end:
                open_targets = sorted((t for t in self.targets if self.done[t][0] < goal), key=lambda t: (-self.speed(t), t))
                if not open_targets:
                    break
                waiting, running = list(open_targets), set()
                while (waiting and time.monotonic() < end) or running:
                    while waiting and len(running) < self.args.jobs and time.monotonic() < end:
                        target = waiting.pop(0)
                        running.add(pool.submit(self.slice, target, self.search(target)))
                    ready, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                    for future in ready:
                        self.keep(*future.result())
        return self.findings

    def replay(self):
        """No search: every input once."""
        for target in self.targets:
            self.keep(*self.slice(target, ["-runs=0"]))
        return self.findings


def merge(state, folders):
    for folder in folders:
        if os.path.abspath(folder) == os.path.abspath(state):
            continue
        for kind in ("inputs", "findings", "counts"):
            for here, _, files in os.walk(os.path.join(folder, kind)):
                to = os.path.join(state, os.path.relpath(here, folder))
                os.makedirs(to, exist_ok=True)
                for name in files:
                    # Inputs and findings are named by their bytes, counts by campaign and shard; a count only grows.
                    source, goal = os.path.join(here, name), os.path.join(to, name)
                    if not os.path.exists(goal) or os.path.getsize(source) > os.path.getsize(goal):
                        shutil.copyfile(source, goal)


def minimise(args, state, targets):
    for target in targets:
        own, *kept = corpus(state, target)
        fresh = own + ".small"
        shutil.rmtree(fresh, ignore_errors=True)
        os.makedirs(fresh)
        before = len(os.listdir(own))
        # What the kept inputs reach stays theirs.
        done = subprocess.run(["nice", "-n", "19", program_of(args, target), "-merge=1", "-rss_limit_mb=2048", fresh, *kept, own], cwd=ROOT,
                              capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            shutil.rmtree(fresh)
            print(f"{target}: not minimised: {done.stderr.strip().splitlines()[-1:]}")
            continue
        for folder in kept:
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), "rb") as f:
                    same = os.path.join(fresh, hashlib.sha1(f.read()).hexdigest())
                if os.path.exists(same):
                    os.remove(same)
        shutil.rmtree(own)
        os.rename(fresh, own)
        print(f"{target}: {len(os.listdir(own))} of {before} inputs kept", flush=True)


def coverage(state, targets):
    """Of the inputs of a target alone, without unit tests."""
    import coverage as measured  # tools/coverage.py
    measured.build([f"replay_{t}" for t in targets])
    table, path = readers(), os.path.join(state, "coverage.tsv")
    kept = {}
    if os.path.exists(path):
        with open(path) as f:
            kept = {line.split("\t")[0]: line for line in f}
    for target in targets:
        if target in measured.NO_READERS:
            continue
        program = os.path.join(ROOT, "build/coverage/bin", f"replay_{target}")
        counts = os.path.join(state, "coverage", target)
        shutil.rmtree(counts, ignore_errors=True)
        subprocess.run(["nice", "-n", "19", program, "--whole", *corpus(state, target)], cwd=ROOT, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=measured.environment(counts), check=True)
        reached, lines = measured.reached(measured.lines(counts, table[target]))
        kept[target] = f"{target}\t{digest(target, table[target])}\t{version()}\t{today()}\t{reached}\t{lines}\n"
        print(f"{target:10} {reached:5d} of {lines:5d} lines  {100 * reached / max(lines, 1):5.1f} %", flush=True)
        with open(path, "w") as f:
            f.writelines(kept[t] for t in sorted(kept))


def millions(n):
    return f"{n / 1e6:.2f}" if n >= 1e4 else f"{n / 1e6:.4f}"


def print_table(state, targets):
    """What counts now: executions with the present text of the readers."""
    table = readers()
    covered = {}
    path = os.path.join(state, "coverage.tsv")
    if os.path.exists(path):
        with open(path) as f:
            for line in f:
                w = line.split("\t")
                covered[w[0]] = f"{100 * int(w[4]) / max(int(w[5]), 1):.0f} %"
    recorded = {key(r) for r in ledger()}
    every = [*ledger(), *(r for r in summed(rows(state)) if key(r) not in recorded)]
    print("| target | executions since the last change [million] | all [million] | per second of a processor | lines reached "
          "| findings since then | last run | version |")
    print("|---|---|---|---|---|---|---|---|")
    total, total_now = 0, 0
    for target in targets:
        of = [r for r in every if r.target == target]
        present = digest(target, table[target])
        now = [r for r in of if r.digest == present]
        last = max(of, key=lambda r: r.date, default=None)
        total += sum(r.executions for r in of)
        total_now += sum(r.executions for r in now)
        print(f"| {target} | {millions(sum(r.executions for r in now))} | {millions(sum(r.executions for r in of))} | {rate(now)} "
              f"| {covered.get(target, '')} | {sum(r.findings for r in now)} | {last.date[:10] if last else ''} "
              f"| {last.version if last else ''} |")
    print(f"| all | {millions(total_now)} | {millions(total)} | | | | | |")


def rate(some):
    seconds = sum(r.seconds for r in some)
    return f"{sum(r.executions for r in some) / seconds:.0f}" if seconds else ""


def key(row):
    return row.campaign, row.target, row.digest, row.version, row.preset


def summed(some):
    """One row for each campaign, target, text, version and preset."""
    table = {}
    for r in some:
        old = table.get(key(r), Row(*key(r), "", 0, 0.0, 0))
        table[key(r)] = Row(*key(r), max(old.date, r.date), old.executions + r.executions, old.seconds + r.seconds,
                            old.findings + r.findings)
    return list(table.values())


def record(state):
    """Counts only grow, so that a folder may be recorded again and again."""
    kept = {key(r): r for r in ledger()}
    for r in summed(rows(state)):
        if key(r) not in kept or kept[key(r)].executions <= r.executions:
            kept[key(r)] = r
    with open(LEDGER, "w") as f:
        f.write("# Executions of fuzz targets, written by `tools/campaign.py record`; docs/manual/trust.md shows them.\n"
                "# campaign and shard, target, digest of the reader's text, version, preset, last date, executions, processor"
                " seconds, findings\n")
        for r in sorted(kept.values(), key=lambda r: (r.target, r.date, r)):
            f.write(r.text() + "\n")


def page_table():
    """Of the ledger alone, so that a change of a reader does not change the page: the text of a reader that was run last, and all."""
    every = list(ledger())
    out = ["| target | executions of its last text that was run [million] | until | all [million] | findings |\n",
           "|---|---|---|---|---|\n"]
    done = []  # targets with ten million executions of their last text
    for target in sorted({r.target for r in every}):
        of = [r for r in every if r.target == target]
        last = max(of, key=lambda r: r.date)
        now = sum(r.executions for r in of if r.digest == last.digest)
        if now >= 10_000_000:
            done.append(target)
            continue
        out.append(f"| {target} | {millions(now)} | {last.date[:10]} | {millions(sum(r.executions for r in of))} | {sum(r.findings for r in of)} |\n")
    sanitized = sum(r.executions for r in every if r.preset == "fuzz")
    out.append(f"| all | | | {millions(sum(r.executions for r in every))} | {sum(r.findings for r in every)} |\n\n")
    if done:
        out.append(f"Ten million and more: {', '.join(done)}.\n")
    out.append(f"With AddressSanitizer: {millions(sanitized)} million of these executions.\n")
    return "".join(out)


def page(check):
    with open(PAGE) as f:
        text = f.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{PAGE}: the lines {BEGIN.strip()} and {END.strip()} must be there once; write them around the table")
    before, rest = text.split(BEGIN)
    fresh = before + BEGIN + page_table() + END + rest.split(END)[1]
    if fresh != text and check:
        sys.exit("docs/manual/trust.md differs from tests/fuzz/ledger.tsv; run tools/campaign.py page")
    if fresh != text:
        with open(PAGE, "w") as f:
            f.write(fresh)
    print(f"campaign: {sum(r.executions for r in ledger())} executions in the ledger; the page has them")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("verb", choices=["run", "brief", "replay", "merge", "minimise", "coverage", "table", "record", "page"])
    p.add_argument("names", nargs="*", help="targets, or folders of campaigns for merge")
    p.add_argument("--state", default=os.path.join(ROOT, "build/campaign"), help="the folder of the campaign")
    p.add_argument("--preset", default="fuzz", choices=list(KINDS),
                   help="the build, in build/NAME. fuzz: AddressSanitizer and UndefinedBehaviorSanitizer, and comparisons guide the search; fuzz-fast: the "
                        "second sanitizer alone, several times as many executions")
    p.add_argument("--programs", help="a folder with programs fuzz_TARGET; nothing is built")
    p.add_argument("--check", action="store_true", help="of page: compare only")
    p.add_argument("--runs", type=int, default=10_000_000, help="executions of each target since its last change")
    p.add_argument("--minutes", type=float, default=60, help="the longest time of this call")
    p.add_argument("--slice", type=int, default=60, help="seconds of a target at a time")
    p.add_argument("--timeout", type=int, default=25, help="seconds for one input, beyond which it is a finding")
    p.add_argument("--jobs", type=int, default=1, help="targets at the same time")
    p.add_argument("--shard", default="1/1", help="i/n: this machine does the i-th of n parts")
    args = p.parse_intermixed_args()
    if not re.fullmatch(r"[1-9]\d*/[1-9]\d*", args.shard) or int(args.shard.split("/")[0]) > int(args.shard.split("/")[1]):
        p.error(f"--shard {args.shard}: write i/n with 1 <= i <= n")
    os.makedirs(args.state, exist_ok=True)
    every = sorted(readers())
    if args.verb == "merge":
        for folder in args.names:
            if not os.path.isdir(os.path.join(folder, "counts")):
                p.error(f"{folder} has no folder counts: not a campaign")
        merge(args.state, args.names)
        return 0
    for name in args.names:
        if name not in every:
            p.error(f"there is no target {name}; there are {' '.join(every)}")
    targets = args.names or every
    if args.verb == "record":
        record(args.state)
    if args.verb in ("record", "page"):
        page(args.check)
    elif args.verb == "table":
        print_table(args.state, targets)
    elif args.verb == "coverage":
        coverage(args.state, targets)
    else:
        if args.verb == "replay":
            args.preset = "fuzz"
        if not args.programs:
            build(args.preset, [f"fuzz_{t}" for t in targets])
        if args.verb == "minimise":
            minimise(args, args.state, targets)
        elif args.verb == "brief":
            found = all_briefly(args, targets)
            print(f"campaign: {len(targets)} targets, findings in {found} of them; inputs in {os.path.join(args.state, 'findings')}")
            return 1 if found else 0
        else:
            campaign = Campaign(args, targets)
            found = campaign.replay() if args.verb == "replay" else campaign.run()
            print(f"campaign: {found} findings in this call; inputs in {os.path.join(args.state, 'findings')}")
            return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
