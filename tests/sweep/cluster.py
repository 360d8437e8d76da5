#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Failures of a cluster, on one machine: three servers of NATS and four workers, each in a network namespace of its
own ("host"), are killed, stopped, cut off and starved while they compute a sweep. Each case must end with the same
SHA-256 as a run without a queue: nothing lost, nothing twice.

usage: cluster.py [--long] [--bench CHUNKS | --tls RUNS] HEFT [CASE...]
  --long           the lengths of docs/manual/sweep.md: 30 s without network, a minute stopped, larger sweeps
  --bench CHUNKS   no failures: so many tiny chunks; prints messages, bytes, microseconds and memory

  --tls RUNS       one sweep through servers with TLS and a user for each role, with the failures of `guarded`; needs openssl

Needs root, iproute2 and nats-server; exit code 77 says what is missing. Waits for conditions, never for a time that
should suffice."""
import atexit, json, os, re, shutil, signal, subprocess, sys, tempfile, time

SERVERS, WORKERS = 3, 4
TAG = "hq%d" % os.getpid()
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
ACK_WAIT = 2.0
LIMIT = 150.0  # seconds until a case is given up; long form: ten times as many

MODEL = """<mujoco model="ball"><option timestep="0.001"/><worldbody>
<geom name="floor" type="plane" size="0 0 1" friction="0.5"/>
<body name="ball" pos="0 0 0.1"><freejoint name="ball"/><geom name="ball" type="box" size="0.05 0.04 0.03" mass="1"/></body>
<body name="cart" pos="1 0 1"><joint name="cart" type="slide" axis="0 1 0"/><geom size="0.05" mass="1"/></body>
</worldbody><actuator><motor name="cart" joint="cart"/></actuator></mujoco>
"""
PLAN = """model = "ball.xml"
duration = {duration}
runs = {runs}
chunk = {chunk}
seed = 7
method = "sobol"
{control}
[[vary]]
name = "speed"
what = "v"
of = "ball"
min = -2
max = 2
[[vary]]
name = "friction"
what = "friction"
of = "floor"
min = 0.1
max = 0.9
[[measure]]
name = "x"
what = "body_x"
of = "ball"
keep = ["final", "max"]
"""
# The policy kills its worker in run 37, as long as a file is there. A worker with SLOW or FAULTY in its
# environment tells that it has reached run 57 and waits until it is told to go on; the faulty one then computes other
# numbers. Run 155 waits for a file, too.
POLICY = """import os, signal, time
import numpy
folder = {folder!r}
def wait(name):
    while not os.path.exists(os.path.join(folder, name)):
        time.sleep(0.01)
def act(o):
    if 37 in o.run and os.path.exists(os.path.join(folder, "poison")):
        os.kill(os.getppid(), signal.SIGKILL)
    if 155 in o.run and os.path.exists(os.path.join(folder, "hold")):
        wait("finish")
    if 57 in o.run and ("SLOW" in os.environ or "FAULTY" in os.environ):
        open(os.path.join(folder, "reached"), "w").close()
        wait("go")
        return (1.5 if "FAULTY" in os.environ else 1) * numpy.ones((len(o.run), 1))
    return numpy.ones((len(o.run), 1))
"""


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def sh(*command, check=True):
    done = subprocess.run(command, capture_output=True, text=True)
    if check and done.returncode != 0:
        raise Failure("%s: code %d: %s" % (" ".join(command), done.returncode, done.stderr[-1000:]))
    return done


def wait_for(what, condition, seconds=None):
    until = time.monotonic() + (seconds or LIMIT)
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > until:
            raise Failure("waited in vain for " + what)
        time.sleep(0.05)


class Failure(Exception):
    pass


class Host:
    """A network namespace with an address on the common bridge."""

    def __init__(self, cluster, name, number):
        self.cluster, self.name, self.net = cluster, name, "%s-%s" % (TAG, name)
        self.address = "10.77.0.%d" % number
        self.folder = os.path.join(cluster.folder, name)
        self.link = "%s%d" % (TAG[-8:], number)
        os.makedirs(self.folder, exist_ok=True)
        self.process, self.log = None, os.path.join(self.folder, "log")
        sh("ip", "netns", "add", self.net)
        sh("ip", "link", "add", self.link, "netns", cluster.bridge, "type", "veth", "peer", "name", "eth0", "netns", self.net)
        sh("ip", "-n", cluster.bridge, "link", "set", self.link, "master", "br0", "up")
        sh("ip", "-n", self.net, "addr", "add", self.address + "/24", "dev", "eth0")
        sh("ip", "-n", self.net, "link", "set", "eth0", "up")
        sh("ip", "-n", self.net, "link", "set", "lo", "up")

    def start(self, command, environment=None, mount=None):
        """Starts a process of this host. mount: a folder that is full here."""
        prefix = ["ip", "netns", "exec", self.net]
        if mount:
            prefix += ["sh", "-c", 'mount -t tmpfs -o size=64k full "$0" && head -c 65536 /dev/zero > "$0/.full"; exec "$@"', mount]
        env = dict(os.environ, TMPDIR=self.folder, **(environment or {}))
        self.process = subprocess.Popen(prefix + command, stdout=open(self.log, "ab"), stderr=subprocess.STDOUT, env=env,
                                        stdin=subprocess.DEVNULL, start_new_session=True)
        return self.process

    def pids(self):
        return [int(p) for p in sh("ip", "netns", "pids", self.net, check=False).stdout.split()]

    def signal(self, number):
        for pid in self.pids():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def kill(self):
        """Power off: all processes of the host, at once."""
        wait_for("the death of " + self.name, lambda: (self.signal(signal.SIGKILL), not self.pids())[1], 30)
        if self.process:
            self.process.wait()
            self.process = None

    def cut(self):
        sh("ip", "-n", self.cluster.bridge, "link", "set", self.link, "down")

    def heal(self):
        sh("ip", "-n", self.cluster.bridge, "link", "set", self.link, "up")

    def text(self):
        with open(self.log, errors="replace") as file:
            return file.read()

    def counters(self):
        """Bytes that left and reached the host."""
        s = json.loads(sh("ip", "-n", self.net, "-s", "-j", "link", "show", "eth0").stdout)[0]["stats64"]
        return s["tx"]["bytes"], s["rx"]["bytes"]


class Cluster:
    def __init__(self, heft, folder):
        self.heft, self.folder, self.bridge = heft, folder, TAG + "-br"
        sh("ip", "netns", "add", self.bridge)
        sh("ip", "-n", self.bridge, "link", "add", "br0", "type", "bridge")
        sh("ip", "-n", self.bridge, "link", "set", "br0", "up")
        self.servers = [Host(self, "s%d" % i, 10 + i) for i in range(SERVERS)]
        self.workers = [Host(self, "w%d" % i, 20 + i) for i in range(WORKERS)]
        self.desk = Host(self, "desk", 30)
        self.guards, self.options = "", []  # of servers, of commands

    def guard(self):
        """TLS, certificates on both sides, a user for each role."""
        import security
        here = os.getcwd()
        os.chdir(self.folder)
        security.make_authority("authority")
        security.make_certificate("server", "authority", ",".join("IP:" + s.address for s in self.servers))
        security.make_certificate("client", "authority")
        os.chdir(here)
        file = lambda name: os.path.join(self.folder, name)
        self.guards = 'tls { cert_file: "%s", key_file: "%s", ca_file: "%s", verify: true }\n%s' % (
            file("server.pem"), file("server.key"), file("authority.pem"), security.users_by_role())
        self.options = ["--tls-ca", file("authority.pem"), "--tls-cert", file("client.pem"), "--tls-key", file("client.key")]

    def urls(self, role):
        return ",".join(("tls://%s:secret@" % role if self.guards else "nats://") + s.address + ":4222" for s in self.servers)

    def hosts(self):
        return self.servers + self.workers + [self.desk]

    def start_server(self, i):
        server = self.servers[i]
        routes = ", ".join("nats://%s:6222" % s.address for s in self.servers)
        config = os.path.join(server.folder, "nats.conf")
        with open(config, "w") as file:
            file.write('server_name: s%d\nlisten: "%s:4222"\nhttp: "%s:8222"\njetstream { store_dir: "%s/js" }\n'
                       'cluster { name: heft, listen: "%s:6222", routes: [%s] }\n%s'
                       % (i, server.address, server.address, server.folder, server.address, routes, self.guards))
        server.start(["nats-server", "-c", config])

    def start_servers(self):
        for i in range(SERVERS):
            self.start_server(i)
        self.wait_servers()

    def lose_disks(self):
        """All servers lose their disks, and start with empty ones."""
        for s in self.servers:
            s.kill()
        for s in self.servers:
            shutil.rmtree(os.path.join(s.folder, "js"))
        self.start_servers()

    def get(self, i, path):
        """A page of the monitor of a server."""
        out = sh("ip", "netns", "exec", self.servers[i].net, sys.executable, "-c",
                 "import urllib.request,sys; sys.stdout.write(urllib.request.urlopen('http://%s:8222/%s',timeout=5).read().decode())"
                 % (self.servers[i].address, path), check=False).stdout
        return json.loads(out) if out else {}

    def wait_servers(self):
        wait_for("a leader of the servers", lambda: any(
            self.get(i, "jsz").get("meta_cluster", {}).get("leader") for i in range(SERVERS) if self.servers[i].process), 60)

    def leader(self):
        """Number of the server that leads the stream of chunks."""
        def look():
            for i in range(SERVERS):
                for account in self.get(i, "jsz?streams=1").get("account_details", []):
                    for stream in account.get("stream_detail", []):
                        name = stream.get("cluster", {}).get("leader")
                        if stream["name"].endswith("-CHUNKS") and name:
                            return name
        return int(wait_for("a leader of the chunks", look, 60)[1:])

    def start_worker(self, i, heft=None, environment=None, mount=None, shared=None, trust=False):
        command = [heft or self.heft, "work", "--workers", "1", "--name", "w%d" % i, "--idle", "20", *self.options]
        command += ["--out", shared] if shared else []
        command += ["--trust"] if trust else []
        self.workers[i].start(command, dict({"HEFT_NATS": self.urls("worker")}, **(environment or {})), mount)

    def start_workers(self, **options):
        for i in range(WORKERS):
            self.start_worker(i, **options)

    def serve(self, plan, out, *options):
        self.desk.start([self.heft, "sweep", "serve", plan, "--out", out, "--ack-wait", str(ACK_WAIT), *self.options, *options],
                        {"HEFT_NATS": self.urls("server")})

    def served(self):
        """Waits until the sweep is complete. Returns the exit code."""
        code = wait_for("the end of the sweep", lambda: self.desk.process.poll() is not None and [self.desk.process.returncode])[0]
        self.desk.process = None
        return code

    def status(self):
        out = sh("ip", "netns", "exec", self.desk.net, self.heft, "sweep", "status", "--json", "--nats", self.urls("viewer"),
                 *self.options, check=False).stdout
        return json.loads(out)["sweeps"] if out.startswith("{") else []

    def end_workers(self):
        for w in self.workers:
            w.kill()

    def close(self):
        for host in self.hosts():
            try:
                host.kill()
            except Exception as error:
                print("cleaning up: %s" % error)
        for host in self.hosts():
            sh("ip", "netns", "del", host.net, check=False)
        sh("ip", "netns", "del", self.bridge, check=False)
        for name in os.listdir("/dev/shm"):  # what libfaketime of killed workers leaves
            found = re.fullmatch(r"(?:sem\.)?faketime_(?:shm|sem)_(\d+)", name)
            if found and not os.path.exists("/proc/" + found.group(1)):
                os.unlink(os.path.join("/dev/shm", name))


class Trial:
    """One case: a sweep through the cluster, with something that goes wrong at a known progress."""

    def __init__(self, cluster, name, plans, long):
        self.c, self.name, self.long = cluster, name, long
        self.plan, self.hash, self.chunks = plans["plain"]
        self.large, self.poisonous = plans.get("large"), plans["policy"]
        self.out = os.path.join(cluster.folder, "out-" + name)
        self.start_time = time.monotonic()

    def stored(self):
        folder = os.path.join(self.out, "chunks")
        return len([n for n in os.listdir(folder) if re.fullmatch(r"\d+\.h5", n)]) if os.path.isdir(folder) else 0

    def reach(self, share):
        """Waits until a share of the chunks is stored."""
        wait_for("%d %% of the chunks" % (100 * share), lambda: self.stored() >= max(1, int(share * self.chunks)))

    def take_large(self):
        """From here on the sweep is one that is not over when something that lasts has ended."""
        self.plan, self.hash, self.chunks = self.large

    def left(self):
        self.need(self.stored() < self.chunks, "the sweep was over before its worker came back")

    def sign(self, name, there=True):
        """A file for the policy."""
        path = os.path.join(os.path.dirname(self.poisonous[0]), name)
        if there:
            open(path, "w").close()
        elif os.path.exists(path):
            os.unlink(path)
        return path

    def serve(self, *options, plan=None):
        self.c.serve(plan or self.plan, self.out, *options)

    def end(self, expected=None):
        code = self.c.served()
        if code != 0:
            raise Failure("heft sweep serve ended with code %d: %s" % (code, self.c.desk.text()[-1500:]))
        found = sh(self.c.heft, "sweep", "hash", self.out).stdout.strip()
        if found != (expected or self.hash):
            raise Failure("SHA-256 %s, expected %s" % (found, expected or self.hash))
        strange = [n for n in os.listdir(os.path.join(self.out, "chunks")) if not re.fullmatch(r"\.?\d+\.h5.*", n)]
        if strange:
            raise Failure("strange files: %s" % strange)

    def need(self, condition, text):
        if not condition:
            raise Failure(text)


# ---- the cases

def plain(t):
    """no failure, results through the queue"""
    t.c.start_workers()
    t.serve()
    t.end()


def kill_worker(t):
    """kill -9 of two workers, one after the other; nothing takes their place"""
    t.c.start_workers()
    t.serve()
    for i, share in ((0, 0.2), (1, 0.4)):
        t.reach(share)
        t.c.workers[i].kill()
    t.end()


def kill_leader(t):
    """kill -9 of the leading server; it comes back later"""
    t.c.start_workers()
    t.serve()
    t.reach(0.2)
    leader = t.c.leader()
    t.c.servers[leader].kill()
    t.reach(0.6)
    t.c.start_server(leader)
    t.end()


def guarded(t):
    """TLS, a user for each role; kill -9 of two workers and of the leading server, which comes back"""
    t.c.start_workers()
    t.serve()
    t.reach(0.2)
    t.c.workers[0].kill()
    t.reach(0.3)
    leader = t.c.leader()
    t.c.servers[leader].kill()
    t.reach(0.6)
    t.need(t.stored() < t.chunks, "the sweep was over before the second worker was killed")
    t.c.workers[1].kill()
    t.c.start_server(leader)
    t.end()


def kill_all_workers(t):
    """kill -9 of all workers at once; new ones come"""
    t.c.start_workers()
    t.serve()
    t.reach(0.3)
    for w in t.c.workers:
        w.signal(signal.SIGKILL)
    t.c.end_workers()
    before = t.stored()
    t.need(before < t.chunks, "the workers were too fast to be killed")
    t.c.start_workers()
    t.end()


def hold_on(what, seconds):
    began = time.monotonic()
    wait_for(what, lambda: time.monotonic() - began > seconds, 120)


def lasting(t, away, back, seconds):
    """Long form: something that lasts, in the midst of a sweep."""
    t.take_large()
    t.c.start_workers()
    t.serve()
    t.reach(0.1)
    for w in t.c.workers[:2]:
        away(w)
    hold_on("the end", seconds)
    t.left()
    for w in t.c.workers[:2]:
        back(w)
    t.end()


def overtaken(t, away, back, how, *options, shared=None):
    """A worker is away with a chunk, another one computes the chunk, and then the first one comes back and goes on
    with it. Leaves the sweep at its last chunk."""
    plan = t.poisonous[0]
    for name in ("reached", "go", "finish"):
        t.sign(name, False)
    t.sign("hold")
    t.serve(*options, plan=plan)
    wait_for("the folder", lambda: os.path.isdir(os.path.join(t.out, "chunks")))
    t.c.start_worker(0, environment={how: "1"}, shared=shared, trust=True)
    wait_for("the worker", lambda: os.path.exists(os.path.join(os.path.dirname(plan), "reached")))
    away(t.c.workers[0])
    for i in (1, 2):  # one of them waits in run 155, the other one computes the rest
        t.c.start_worker(i, shared=shared, trust=True)
    wait_for("the other worker", lambda: os.path.exists(os.path.join(t.out, "chunks", "000005.h5")))
    t.sign("go")
    back(t.c.workers[0])


def late(t, away, back):
    """Short form: the result of a worker that was away comes after that of another one."""
    overtaken(t, away, back, "SLOW")
    began = time.time()
    wait_for("the late result", lambda: any(
        n["kind"] == "worker" and n["worker"].startswith("w0-") and n["time"] > began and n["text"] == "waits"
        for s in t.c.status() for n in s["notes"]))
    t.sign("hold", False)
    t.sign("finish")
    t.end(t.poisonous[1])


def cut_worker(t):
    """workers lose their network for longer than the patience of the queue; others take their chunks"""
    if t.long:
        lasting(t, Host.cut, Host.heal, 30)
    else:
        late(t, Host.cut, Host.heal)


def cut_leader(t):
    """the leading server and a worker lose their network for a while"""
    if t.long:
        t.take_large()
    t.c.start_workers()
    t.serve()
    t.reach(0.1)
    leader = t.c.leader()
    t.c.servers[leader].cut()
    t.c.workers[0].cut()
    hold_on("the cut", 30 if t.long else 2 * ACK_WAIT)
    if t.long:
        t.left()
    t.c.servers[leader].heal()
    t.c.workers[0].heal()
    t.end()


def disk_full(t):
    """the disk of one worker is full; results in a shared folder"""
    t.serve("--shared")
    wait_for("the folder", lambda: os.path.isdir(os.path.join(t.out, "chunks")))
    t.c.start_worker(0, shared=t.out, mount=os.path.join(t.out, "chunks"))
    wait_for("the first failure", lambda: "No space left" in t.c.workers[0].text())
    for i in range(1, WORKERS):
        t.c.start_worker(i, shared=t.out)
    t.end()


def wrong_clock(t):
    """the clock of one worker is an hour ahead, that of another an hour behind"""
    if not os.path.exists(FAKETIME):
        return "left out: libfaketime is not installed"
    for i in range(WORKERS):
        shift = {0: "+1h", 1: "-1h"}.get(i)
        t.c.start_worker(i, environment={"LD_PRELOAD": FAKETIME, "FAKETIME": shift, "FAKETIME_DONT_FAKE_MONOTONIC": "1"} if shift else None)
    t.serve()
    t.reach(0.5)
    found = {n["worker"]: n["done"] for s in t.c.status() for n in s["notes"] if n["kind"] == "worker"}
    t.need(len(found) == WORKERS, "workers that are known: %s" % found)
    t.end()


def stopped(t):
    """SIGSTOP of workers for longer than the patience of the queue, then SIGCONT"""
    away, back = (lambda w: w.signal(signal.SIGSTOP)), (lambda w: w.signal(signal.SIGCONT))
    if t.long:
        lasting(t, away, back, 60)
    else:
        late(t, away, back)


def poison(t):
    """a chunk that kills its workers goes to quarantine, all others are computed; a queue that lost its disks does not
    forget that; then the chunk is retried"""
    plan, expected, chunks = t.poisonous
    t.sign("poison")
    t.c.start_workers(trust=True)
    t.serve("--deliveries", "3", plan=plan)
    code = t.c.served()
    t.need(code == 1, "code %d with a quarantine: %s" % (code, t.c.desk.text()[-800:]))
    t.need(t.stored() == chunks - 1, "%d chunks of %d" % (t.stored(), chunks))
    sweep, = t.c.status()
    kinds = [n["kind"] for n in sweep["notes"] if n["chunk"] == 3]
    t.need(sweep["quarantined"] == 1 and "quarantine" in kinds and kinds.count("killed") == 3, "notes: %s" % sweep)
    t.sign("poison", False)
    t.c.end_workers()
    t.c.lose_disks()
    t.c.start_workers(trust=True)
    t.serve(plan=plan)
    code = t.c.served()
    t.need(code == 1 and t.stored() == chunks - 1, "code %d, %d chunks: the quarantine was forgotten" % (code, t.stored()))
    sweep, = t.c.status()
    t.need(sweep["quarantined"] == 1, "notes: %s" % sweep)
    t.serve("--retry", plan=plan)
    t.end(expected)


def disagree(t, *options, shared=None):
    """The worker that was overtaken is faulty."""
    plan, expected, chunks = t.poisonous
    overtaken(t, lambda w: w.signal(signal.SIGSTOP), lambda w: w.signal(signal.SIGCONT), "FAULTY", *options, shared=shared)
    doubt = os.path.join(t.out, "quarantine")
    wait_for("the quarantine", lambda: os.path.exists(os.path.join(doubt, "000005.txt")))
    t.sign("finish")
    code = t.c.served()
    t.need(code == 1 and "different bytes" in t.c.desk.text(), "code %d: %s" % (code, t.c.desk.text()[-800:]))
    t.need(not os.path.exists(os.path.join(t.out, "chunks", "000005.h5")), "one of the results was taken")
    t.need(len([n for n in os.listdir(doubt) if n.startswith("000005-")]) == 2, "not both results were kept")
    sweep, = t.c.status()
    t.need([n["chunk"] for n in sweep["notes"] if n["kind"] == "quarantine"] == [5], "notes: %s" % sweep)
    t.c.end_workers()
    t.sign("hold", False)
    t.c.start_worker(1, shared=shared, trust=True)
    t.serve("--retry", *options, plan=plan)
    t.end(expected)


def different(t):
    """two workers compute different bytes for a chunk: neither is taken; after a retry the results are right"""
    disagree(t)


def different_shared(t):
    """the same, with results in a shared folder"""
    disagree(t, "--shared", shared=t.out)


def untrusted(t):
    """a worker does not run a program of the plan unless it is told to trust"""
    plan, expected, chunks = t.poisonous
    t.c.start_worker(0)
    t.serve(plan=plan)
    code = wait_for("the refusal", lambda: t.c.workers[0].process.poll() is not None and [t.c.workers[0].process.returncode])[0]
    t.need(code == 3 and "--trust" in t.c.workers[0].text(), "code %d: %s" % (code, t.c.workers[0].text()[-500:]))
    t.c.start_workers(trust=True)
    t.end(expected)


def change_program(t, name, change):
    """A copy of the program with other bytes."""
    program = os.path.join(t.c.folder, name)
    with open(t.c.heft, "rb") as file:
        data = file.read()
    with open(program, "wb") as file:
        file.write(change(data))
    os.chmod(program, 0o755)
    return program


def other_version(t):
    """workers of another version, and of another build whose results have other bits, are refused and say why"""
    version = sh(t.c.heft, "--version").stdout.split()[1]
    other = version[:-1] + ("8" if version[-1] != "8" else "7")
    program = change_program(t, "heft-version", lambda data: data.replace(version.encode() + b"\0", other.encode() + b"\0"))
    t.need(sh(program, "--version").stdout.split()[1] == other, "the version could not be changed")
    build = change_program(t, "heft-build", lambda data: re.sub(
        rb"(heft golden )([0-9a-f]{16})\0", lambda m: m[1] + m[2][::-1] + b"\0", data))
    t.serve()
    for i, heft, reason in ((0, program, "install Heft " + version), (1, build, "other bits")):
        t.c.start_worker(i, heft=heft)
        code = wait_for("the refusal", lambda: t.c.workers[i].process.poll() is not None and [t.c.workers[i].process.returncode])[0]
        text = t.c.workers[i].text()
        t.need(code == 3 and reason in text, "code %d: %s" % (code, text[-500:]))
    for i in range(2, WORKERS):
        t.c.start_worker(i)
    t.end()


def power_off(t):
    """power off of everything, then everything starts again"""
    t.c.start_workers()
    t.serve()
    t.reach(0.3)
    for host in t.c.hosts():
        host.signal(signal.SIGKILL)
    for host in t.c.hosts():
        host.kill()
    before = t.stored()
    t.need(before < t.chunks, "the sweep was complete before")
    t.c.start_servers()
    t.c.start_workers()
    t.serve()
    t.end()


def queue_lost(t):
    """the disks of all servers are lost; the results that were stored are kept"""
    t.c.start_workers()
    t.serve()
    t.reach(0.3)
    t.c.desk.kill()
    t.c.lose_disks()
    before = t.stored()
    t.serve()
    t.end()
    t.need(before < t.chunks, "the sweep was complete before")


CASES = [plain, kill_worker, kill_leader, kill_all_workers, cut_worker, disk_full, wrong_clock, stopped, poison, different,
         different_shared, untrusted, other_version, power_off]
LONG = [cut_leader, queue_lost]  # not in the short form, unless they are named


# ---- measurements

def high_water(host):
    """Peak memory of the processes of a host [MiB]."""
    most = 0
    for pid in host.pids():
        try:
            with open("/proc/%d/status" % pid) as file:
                most += int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) / 1024
        except (OSError, AttributeError):
            pass
    return most


def bench(c, chunks, folder, shared):
    """Tiny chunks: what the queue itself costs."""
    plan = write_plan(folder, "bench.toml", runs=chunks, chunk=1, duration=0.001)
    out = os.path.join("/dev/shm", TAG) if shared else os.path.join("/dev/shm", TAG + "q")
    atexit.register(shutil.rmtree, out, ignore_errors=True)
    c.start_servers()
    before = [(c.get(i, "varz"), s.counters()) for i, s in enumerate(c.servers)]
    began = time.monotonic()
    c.serve(plan, out, *(["--shared"] if shared else []))
    wait_for("the folder", lambda: os.path.isdir(os.path.join(out, "chunks")))
    wait_for("the stream", lambda: c.status())
    c.start_workers(shared=out if shared else None)
    memory = [0.0] * SERVERS
    worker = disk = 0.0
    while c.desk.process.poll() is None:
        memory = [max(m, high_water(s)) for m, s in zip(memory, c.servers)]
        worker = max(worker, high_water(c.workers[0]))
        disk = max(disk, sum(os.path.getsize(os.path.join(p, f)) for s in c.servers for p, _, fs in os.walk(s.folder)
                             for f in fs if os.path.exists(os.path.join(p, f))))
        time.sleep(1)
    seconds = time.monotonic() - began
    code = c.served()
    after = [(c.get(i, "varz"), s.counters()) for i, s in enumerate(c.servers)]
    sums = lambda key: sum(a[0][key] - b[0][key] for a, b in zip(after, before))
    sent = sum(a[1][0] - b[1][0] for a, b in zip(after, before))
    print("%d chunks, results %s, code %d: %.1f s, %.0f us a chunk on %d cores; messages in %.2f, out %.2f a chunk; bytes in "
          "%.0f, out %.0f a chunk, on the wire of the servers %.0f; peak memory of servers %s MiB, of a worker %.0f MiB; "
          "peak of their disks %.1f MiB" % (chunks, "in a shared folder" if shared else "through the queue", code, seconds,
                              1e6 * seconds / chunks, os.cpu_count(), sums("in_msgs") / chunks, sums("out_msgs") / chunks,
                              sums("in_bytes") / chunks, sums("out_bytes") / chunks, sent / chunks,
                              "/".join("%.0f" % m for m in memory), worker, disk / 2**20))
    c.end_workers()
    for s in c.servers:
        s.kill()
        shutil.rmtree(os.path.join(s.folder, "js"))
    return code == 0


# ---- all

def write_plan(folder, name, runs, chunk, duration, control=""):
    with open(os.path.join(folder, "ball.xml"), "w") as file:
        file.write(MODEL)
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(PLAN.format(runs=runs, chunk=chunk, duration=duration, control=control))
    return path


def reference(heft, plan, folder):
    """What a run without a queue has."""
    sh(heft, "sweep", "run", plan, "--out", folder, "--quiet")
    return sh(heft, "sweep", "hash", folder).stdout.strip()


def make_plans(heft, folder, long):
    chunks = 400 if long else 40
    path = write_plan(folder, "plain.toml", runs=10 * chunks, chunk=10, duration=1)
    began = time.monotonic()
    plans = {"plain": (path, reference(heft, path, os.path.join(folder, "local")), chunks)}
    if long:  # so large that it is not over when what lasts longest has ended; speeds of a shared machine vary
        large = max(chunks, int(chunks / (time.monotonic() - began) * 150))
        path = write_plan(folder, "large.toml", runs=10 * large, chunk=10, duration=1)
        plans["large"] = (path, reference(heft, path, os.path.join(folder, "local-large")), large)
    with open(os.path.join(folder, "policy.py"), "w") as file:
        file.write(POLICY.format(folder=folder))
    path = write_plan(folder, "policy.toml", runs=160, chunk=10, duration=0.05, control='[control]\npython = "policy.py"\n')
    plans["policy"] = (path, reference(heft, path, os.path.join(folder, "local-policy")), 16)
    return plans


def run_case(cluster, case, plans, long):
    trial = Trial(cluster, case.__name__, plans, long)
    for host in cluster.hosts():
        open(host.log, "w").close()
    try:
        remark = case(trial)
        print("%-18s %-6s %5.1f s  %s" % (case.__name__, "ok" if not remark else "-", time.monotonic() - trial.start_time,
                                          remark or " ".join(case.__doc__.split())), flush=True)
        return True
    except Failure as error:
        print("%-18s FAILED %5.1f s  %s: %s" % (case.__name__, time.monotonic() - trial.start_time, case.__doc__, error))
        for host in cluster.workers + [cluster.desk]:
            print("    %s: %s" % (host.name, host.text()[-1200:].replace("\n", "\n        ")))
        print(json.dumps(cluster.status(), indent=1)[-3000:], flush=True)
        return False
    finally:
        cluster.end_workers()
        cluster.desk.kill()


def recover(cluster):
    """After a failed case: fresh servers."""
    for s in cluster.servers:
        s.kill()
        shutil.rmtree(os.path.join(s.folder, "js"), ignore_errors=True)
        s.heal()
    cluster.start_servers()


def main():
    global LIMIT
    arguments = sys.argv[1:]
    long = "--long" in arguments
    arguments = [a for a in arguments if a != "--long"]
    count, way = 0, arguments[:1]
    if way in (["--bench"], ["--tls"]):
        count, arguments = int(arguments[1]), arguments[2:]
    if not arguments:
        sys.exit(__doc__)
    heft, names = os.path.abspath(arguments[0]), arguments[1:]
    if os.geteuid() != 0:
        skip("network namespaces need root")
    for program in ("ip", "nats-server"):
        if not shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin"):
            skip(program + " is not installed")
    if "without libnats" in sh(heft, "work", "--help").stdout:
        skip("heft was built without libnats")
    if sh("ip", "netns", "add", TAG, check=False).returncode != 0:
        skip("this machine allows no network namespaces")
    sh("ip", "netns", "del", TAG)
    LIMIT *= 10 if long else 1
    known = [c.__name__ for c in CASES + LONG]
    unknown = [n for n in names if n not in known]
    if unknown:
        sys.exit("unknown case %s; there are: %s" % (unknown[0], " ".join(known)))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    os.environ["PATH"] = "/usr/sbin:/usr/bin:" + os.environ.get("PATH", "")  # a python3 that has numpy
    folder = tempfile.mkdtemp(prefix="heft-cluster-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    cluster = Cluster(heft, folder)
    atexit.register(cluster.close)
    if way == ["--tls"]:
        LIMIT = 3600.0
        chunk = max(1, count // 400)
        plan = write_plan(folder, "tls.toml", runs=count, chunk=chunk, duration=0.02)
        plans = {"plain": (plan, reference(heft, plan, os.path.join(folder, "local")), -(-count // chunk)), "policy": None}
        cluster.guard()
        cluster.start_servers()
        sys.exit(0 if run_case(cluster, guarded, plans, long) else 1)
    if count:
        LIMIT = 3600.0
        sys.exit(0 if all([bench(cluster, count, folder, shared) for shared in (True, False)]) else 1)
    plans = make_plans(heft, folder, long)
    cluster.start_servers()
    bad = 0
    for case in CASES + LONG:
        if case.__name__ not in names if names else case in LONG and not long:
            continue
        if not run_case(cluster, case, plans, long):
            bad += 1
            recover(cluster)
    print("cluster: %s" % ("%d cases failed" % bad if bad else "ok"))
    sys.exit(1 if bad else 0)


main()
