#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A queue behind TLS and users, with the files that NATS uses itself: certificates of an own authority (openssl), a
user with a password, and a file of credentials (a token of an account and the seed of a user, as `nsc` makes them).
Who has the files gets results with the SHA-256 of a run without a queue; who lacks one is refused and told so.

Each role has rights of its own; what they do not allow is refused. Junk in every stream of a queue does not keep results
from being collected, and status names it.

usage: security.py HEFT

Needs nats-server and openssl; exit code 77 says what is missing. Needs no root."""
import base64, glob, json, os, re, shutil, signal, socket, subprocess, sys, tempfile, time, zlib

PLAN = """model = "ball.xml"
duration = 0.05
runs = 40
chunk = 10
[[vary]]
name = "speed"
what = "v"
of = "ball"
min = -2
max = 2
[[measure]]
name = "x"
what = "body_x"
of = "ball"
keep = ["final"]
"""
MODEL = """<mujoco model="ball"><worldbody><geom type="plane" size="0 0 1"/><body name="ball" pos="0 0 0.1">
<freejoint name="ball"/><geom type="box" size="0.05 0.04 0.03" mass="1"/></body></worldbody></mujoco>
"""
# The subjects that docs/manual/sweep.md names.
SUBJECTS = ["heft.>", "$JS.API.>", "$JS.ACK.>", "_INBOX.>"]
READ = ["$JS.API.INFO", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*", "$JS.API.CONSUMER.INFO.*.workers"]
ROLES = {"server": ["heft.>", "$JS.API.>"],
         "worker": ["heft.*.result.>", "heft.*.info.worker.>", "heft.*.info.event.>", "heft.*.info.quarantine.*", "$JS.ACK.>",
                    "$JS.API.CONSUMER.MSG.NEXT.*.workers"] + READ,
         "viewer": ["$JS.API.DIRECT.GET.*"] + READ}
JUNK = int(os.environ.get("HEFT_JUNK", "2000"))  # 100000: some minutes


def run(*command, data=None, check=True, environment=None):
    done = subprocess.run(command, capture_output=True, input=data, env=dict(os.environ, **(environment or {})), timeout=120)
    if check and done.returncode != 0:
        sys.exit("security: %s: code %d: %s" % (" ".join(command), done.returncode, done.stderr.decode()[-1500:]))
    return done


# ---- certificates

def make_authority(name):
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=" + name, "-keyout", name + ".key", "-out", name + ".pem")


def make_certificate(name, authority, addresses="IP:127.0.0.1,DNS:localhost"):
    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=" + name,
        "-keyout", name + ".key", "-out", name + ".csr")
    with open(name + ".ext", "w") as file:
        file.write("subjectAltName=%s\n" % addresses)
    run("openssl", "x509", "-req", "-in", name + ".csr", "-CA", authority + ".pem", "-CAkey", authority + ".key",
        "-CAcreateserial", "-days", "2", "-extfile", name + ".ext", "-out", name + ".pem")


# ---- keys and tokens of NATS: base32 of a prefix, the key and a checksum (github.com/nats-io/nkeys)

def crc16(data):
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xffff
    return crc


def encode(raw):
    return base64.b32encode(raw + crc16(raw).to_bytes(2, "little")).decode().rstrip("=")


class Key:
    """An Ed25519 key of an operator ("O"), account ("A") or user ("U")."""

    def __init__(self, kind):
        prefix = {"O": 14 << 3, "A": 0, "U": 20 << 3}[kind]
        self.file = tempfile.mkstemp(suffix=".pem", dir=".")[1]
        run("openssl", "genpkey", "-algorithm", "ed25519", "-out", self.file)
        seed = run("openssl", "pkey", "-in", self.file, "-outform", "DER").stdout[-32:]
        self.public = encode(bytes([prefix]) + run("openssl", "pkey", "-in", self.file, "-pubout", "-outform", "DER").stdout[-32:])
        self.seed = encode(bytes([18 << 3 | prefix >> 5, (prefix & 31) << 3]) + seed)

    def token(self, subject, kind, claims):
        """A JWT about a subject, signed by this key."""
        part = lambda x: base64.urlsafe_b64encode(x if isinstance(x, bytes) else json.dumps(x).encode()).rstrip(b"=")
        body = {"jti": "%08x" % zlib.crc32(subject.encode()), "iat": int(time.time()), "iss": self.public, "name": kind, "sub": subject,
                "nats": dict(claims, type=kind, version=2)}
        text = part({"typ": "JWT", "alg": "ed25519-nkey"}) + b"." + part(body)
        with open("text", "wb") as file:
            file.write(text)
        sign = run("openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.file, "-in", "text").stdout
        return (text + b"." + part(sign)).decode()


def make_credentials():
    """The configuration of a server with an operator, and a file of credentials."""
    operator, system, account, user = Key("O"), Key("A"), Key("A"), Key("U")
    limits = {k: -1 for k in ("subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage",
                              "streams", "consumer")}
    about = {"operator": operator.token(operator.public, "operator", {}),
             "system": operator.token(system.public, "account", {"limits": dict(limits, wildcards=True, mem_storage=0, disk_storage=0)}),
             "account": operator.token(account.public, "account", {"limits": dict(limits, wildcards=True)}),
             "user": account.token(user.public, "user", {"subs": -1, "data": -1, "payload": -1, "pub": {"allow": SUBJECTS},
                                                         "sub": {"allow": SUBJECTS}})}
    with open("user.creds", "w") as file:
        file.write("-----BEGIN NATS USER JWT-----\n%s\n------END NATS USER JWT------\n\n"
                   "-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n" % (about["user"], user.seed))
    return "operator: %s\nsystem_account: %s\nresolver: MEMORY\nresolver_preload: { %s: %s, %s: %s }\n" % (
        about["operator"], system.public, system.public, about["system"], account.public, about["account"])


# ---- servers

class Server:
    def __init__(self, name, config):
        with open(name + ".conf", "w") as file:
            file.write('server_name: %s\nlisten: "127.0.0.1:-1"\njetstream { store_dir: "%s" }\n%s'
                       % (name, os.path.abspath(name + ".js"), config))
        self.log = name + ".log"
        self.process = subprocess.Popen(["nats-server", "-c", name + ".conf"], stdout=open(self.log, "w"), stderr=subprocess.STDOUT)
        until = time.monotonic() + 60
        found = None
        while not found:
            with open(self.log) as file:
                text = file.read()
            found = "Server is ready" in text and re.search(r"Listening for client connections on 127.0.0.1:(\d+)", text)
            if self.process.poll() is not None or time.monotonic() > until:
                sys.exit("security: nats-server does not start: " + text)
            time.sleep(0.02)
        self.address = "127.0.0.1:" + found.group(1)

    def close(self):
        self.process.kill()
        self.process.wait()


def good(heft, what, options, environment, expected, number=[0]):
    """A whole sweep."""
    number[0] += 1
    out = "out%d" % number[0]
    worker = subprocess.Popen([heft, "work", "--workers", "1", "--idle", "30", *options], env=dict(os.environ, **environment),
                              stdout=open(out + ".log", "w"), stderr=subprocess.STDOUT)
    try:
        done = run(heft, "sweep", "serve", "plan.toml", "--out", out, *options, environment=environment, check=False)
    finally:
        worker.send_signal(signal.SIGTERM)
        worker.wait()
    if done.returncode != 0:
        sys.exit("security: %s: code %d: %s\n%s" % (what, done.returncode, done.stderr.decode(), open(out + ".log").read()))
    found = run(heft, "sweep", "hash", out).stdout.decode().strip()
    if found != expected:
        sys.exit("security: %s: SHA-256 %s, expected %s" % (what, found, expected))
    print("%-52s the same results" % what)


def bad(heft, what, options, environment, reason=""):
    """A refusal, soon and with a reason, but without the password."""
    for command in (["sweep", "status"], ["work", "--workers", "1", "--patience", "0"]):
        done = run(heft, *command, *options, environment=environment, check=False)
        text = (done.stdout + done.stderr).decode()
        if done.returncode == 0 or "error: " not in text or "wrong-password" in text or reason not in text:
            sys.exit("security: %s: heft %s: code %d: %s" % (what, command[0], done.returncode, text))
    print("%-52s refused: %s" % (what, text[text.index("error: ") + 7:].splitlines()[0]))


# ---- roles and junk

def users_by_role():
    """For the configuration of a server."""
    return "authorization { users: [%s] }\n" % ", ".join(
        '{ user: %s, password: secret, permissions: { publish: %s, subscribe: ["_INBOX.>"] } }' % (role, json.dumps(subjects))
        for role, subjects in ROLES.items())


def make_plan():
    with open("roles.toml", "w") as file:
        file.write(PLAN.replace("runs = 40", "runs = 400"))


def publish(server, user, messages):
    """Publishes by the protocol of NATS. Returns what the server has to say against it."""
    host, port = server.address.split(":")
    with socket.create_connection((host, int(port))) as s:
        s.settimeout(60)
        s.sendall(b'CONNECT {"verbose":false,"user":"%s","pass":"secret"}\r\n' % user.encode())
        for at in range(0, len(messages), 1000):
            s.sendall(b"".join(b"PUB %s %d\r\n%s\r\n" % (subject.encode(), len(data), data) for subject, data in messages[at:at + 1000]))
            s.sendall(b"PING\r\n")
            text = b""
            while b"PONG" not in text:
                got = s.recv(65536)
                if not got:
                    return text.decode()
                text += got
            if b"-ERR" in text:
                return text.decode()
    return ""


def as_user(heft, server, user, *command, check=False):
    return run(heft, *command, environment={"HEFT_NATS": "nats://%s:secret@%s" % (user, server.address)}, check=check)


def roles(heft, server):
    """Each role does its part; what belongs to another one is refused."""
    make_plan()
    run(heft, "sweep", "run", "roles.toml", "--out", "roles.local", "--quiet")
    expected = run(heft, "sweep", "hash", "roles.local").stdout.decode().strip()
    served = as_user(heft, server, "server", "sweep", "serve", "roles.toml", "--out", "roles", "--detach", check=True)
    name = re.search(r"sweep ([0-9a-f]{16}-[0-9a-f]{8})", served.stderr.decode()).group(1)
    if (b"warning: the server of the queue is nats-server" in served.stderr) != (b"v2.9." in run("nats-server", "--version").stdout):
        sys.exit("security: the version of the server: " + served.stderr.decode())
    as_user(heft, server, "viewer", "sweep", "status", "--metrics", "sweep.prom", check=True)
    with open("sweep.prom") as file:
        lines = file.read().splitlines()
    if any(not re.fullmatch(r'# TYPE \w+ gauge|\w+\{sweep="[0-9a-f-]+"(,state="\w+")?\} [-+.e\d]+', line) for line in lines) or not {
            'heft_sweep_chunks{sweep="%s",state="waiting"} 40' % name, 'heft_sweep_workers{sweep="%s"} 0' % name} <= set(lines):
        sys.exit("security: metrics: " + "\n".join(lines))
    forbidden = {"worker": ["heft.%s.chunk" % name, "heft.%s.info.job" % name, "heft.%s.info.file.0.0.1" % name,
                            "$JS.API.STREAM.DELETE.HEFT-%s-CHUNKS" % name, "$JS.API.STREAM.PURGE.HEFT-%s-INFO" % name,
                            "$JS.API.CONSUMER.DELETE.HEFT-%s-CHUNKS.workers" % name],
                 "viewer": ["heft.%s.chunk" % name, "heft.%s.info.job" % name, "heft.%s.result.x" % name,
                            "heft.%s.info.worker.x" % name, "$JS.API.STREAM.DELETE.HEFT-%s-CHUNKS" % name,
                            "$JS.API.CONSUMER.MSG.NEXT.HEFT-%s-CHUNKS.workers" % name, "$JS.ACK.x"]}
    for role, subjects in forbidden.items():
        for subject in subjects:
            if "Permissions Violation" not in publish(server, role, [(subject, b"x")]):
                sys.exit("security: a %s may publish %s" % (role, subject))
    for role, command in (("viewer", ["sweep", "serve", "plan.toml", "--out", "by_viewer"]), ("worker", ["sweep", "serve", "plan.toml", "--out", "by_worker"]),
                          ("viewer", ["work", "--workers", "1", "--idle", "3"])):
        done = as_user(heft, server, role, *command)
        if done.returncode == 0 or b"no right" not in done.stderr:
            sys.exit("security: %s as %s: code %d: %s" % (" ".join(command), role, done.returncode, done.stderr.decode()))
    print("%-52s refused, %d subjects" % ("what another role may", sum(len(s) for s in forbidden.values())))
    return name, expected


def damage(folder):
    """A flipped bit in the first chunk of a folder, a zeroed tail in the second: collect names them and has them computed again."""
    files = sorted(glob.glob(os.path.join(folder, "chunks", "**", "*.h5"), recursive=True))[:2]
    for number, path in enumerate(files):
        with open(path, "r+b") as f:
            size = f.seek(0, os.SEEK_END)
            f.seek(size - 90)
            bits = f.read(90)
            f.seek(size - 90)
            f.write(bytes([bits[0] ^ 1]) + bits[1:] if number == 0 else bytes(90))
    return range(len(files))


def junk(heft, server, name, expected):
    """All streams of a sweep are full of junk; its job is overwritten, and one with a damaged job stands beside it. Chunks in the
    folder are damaged."""
    began = time.monotonic()
    other = os.urandom(16).hex()[:16]
    messages = [("heft.%s.info.job" % name, b'format = 2\nsweep = "zz"\n')]
    for i in range(JUNK):
        messages.append(("heft.%s.result.%s.%d.0.1" % (name, os.urandom(8).hex(), i % 40) if i % 2 else "heft.%s.result.junk.%d" % (name, i), b"x" * (i % 97)))
        messages.append(("heft.%s.chunk" % name, b"junk %d" % i))
        messages.append(("heft.%s.info.%s.junk%d.0" % (name, ("worker", "event.failed", "quarantine")[i % 3], i), b"\xff junk"))
    said = publish(server, "server", messages)
    if said:
        sys.exit("security: junk: " + said)
    sent = time.monotonic() - began
    status = as_user(heft, server, "viewer", "sweep", "status", check=True).stdout.decode()
    if "damaged" not in status or not re.search(r"strange +[1-9]\d* messages", status):
        sys.exit("security: status does not name junk: " + status[:2000])
    chunks = damage("roles")
    worker = subprocess.Popen([heft, "work", "--workers", "1", "--idle", "120"], stdout=open("junk.log", "w"), stderr=subprocess.STDOUT,
                              env=dict(os.environ, HEFT_NATS="nats://worker:secret@" + server.address))
    try:
        done = subprocess.run([heft, "sweep", "collect", "roles", "--keep"], capture_output=True, timeout=900,
                              env=dict(os.environ, HEFT_NATS="nats://server:secret@" + server.address))
    finally:
        worker.send_signal(signal.SIGTERM)
        worker.wait()
    if done.returncode != 0 or b"messages that were no results" not in done.stdout:
        sys.exit("security: collect with junk: code %d: %s %s %s" % (done.returncode, done.stdout.decode(), done.stderr.decode(), open("junk.log").read()[-2000:]))
    for chunk in chunks:
        if b"chunk %d is damaged" % chunk not in done.stderr:
            sys.exit("security: collect does not name the damaged chunk %d: %s" % (chunk, done.stderr.decode()))
    found = run(heft, "sweep", "hash", "roles").stdout.decode().strip()
    if found != expected:
        sys.exit("security: junk: SHA-256 %s, expected %s" % (found, expected))
    status = as_user(heft, server, "viewer", "sweep", "status", "--log", check=True).stdout.decode()
    if "no results of this sweep" not in status or "no chunks of this sweep" not in status:
        sys.exit("security: status does not name junk: " + status[-3000:])
    print("%-52s the same results, %.0f s (%.0f s to send it)" % ("%d junk messages in each of 3 streams" % JUNK, time.monotonic() - began, sent))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    heft = os.path.abspath(sys.argv[1])
    os.environ["PATH"] = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    for program in ("nats-server", "openssl"):
        if not shutil.which(program):
            print("skipped: %s is not installed" % program)
            sys.exit(77)
    if b"without libnats" in run(heft, "work", "--help").stdout:
        print("skipped: heft was built without libnats")
        sys.exit(77)
    os.environ.pop("HEFT_NATS", None)
    folder = tempfile.mkdtemp(prefix="heft-security-")
    servers = []
    try:
        os.chdir(folder)
        for name, text in (("plan.toml", PLAN), ("ball.xml", MODEL)):
            with open(name, "w") as file:
                file.write(text)
        run(heft, "sweep", "run", "plan.toml", "--out", "local", "--quiet")
        expected = run(heft, "sweep", "hash", "local").stdout.decode().strip()
        for name in ("authority", "stranger"):
            make_authority(name)
        make_certificate("server", "authority")
        make_certificate("client", "authority")
        make_certificate("spy", "stranger")
        tls = 'tls { cert_file: "server.pem", key_file: "server.key", ca_file: "authority.pem", verify: true }\n'
        user = "authorization { users: [{ user: ann, password: secret, permissions: { publish: %s, subscribe: %s } }] }\n" % (
            json.dumps(SUBJECTS), json.dumps(SUBJECTS))
        servers.append(Server("tls", tls + user))
        authority, client = ["--tls-ca", "authority.pem"], ["--tls-cert", "client.pem", "--tls-key", "client.key"]
        right = {"HEFT_NATS": "tls://ann:secret@" + servers[0].address}
        good(heft, "TLS, client certificate, password", authority + client, right, expected)
        bad(heft, "an authority that did not sign the server", ["--tls-ca", "stranger.pem"] + client, right)
        bad(heft, "no client certificate", authority, right)
        bad(heft, "a client certificate of another authority", authority + ["--tls-cert", "spy.pem", "--tls-key", "spy.key"], right)
        bad(heft, "no TLS", [], {"HEFT_NATS": "nats://ann:secret@" + servers[0].address})
        bad(heft, "a wrong password", authority + client, {"HEFT_NATS": "tls://ann:wrong-password@" + servers[0].address})
        bad(heft, "a file that is not there", ["--tls-ca", "absent.pem"] + client, right, "absent.pem: No such file")
        servers.append(Server("tokens", make_credentials()))
        url = {"HEFT_NATS": "nats://" + servers[1].address}
        good(heft, "a file of credentials", ["--creds", "user.creds"], url, expected)
        bad(heft, "no credentials", [], url)
        with open("user.creds") as file:
            text = file.read()
        with open("forged.creds", "w") as file:
            file.write(text.replace(re.search(r"SU[A-Z2-7]{50,}", text).group(), Key("U").seed))
        bad(heft, "credentials with the seed of another user", ["--creds", "forged.creds"], url)
        servers.append(Server("roles", users_by_role()))
        junk(heft, servers[2], *roles(heft, servers[2]))
    finally:
        for s in servers:
            s.close()
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
    print("security: ok")


if __name__ == "__main__":
    main()
