#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A queue behind TLS and users, with the files that NATS uses itself: certificates of an own authority (openssl), a
user with a password, and a file of credentials (a token of an account and the seed of a user, as `nsc` makes them).
Who has the files gets results with the SHA-256 of a run without a queue; who lacks one is refused and told so.

usage: security.py HEFT

Needs nats-server and openssl; exit code 77 says what is missing. Needs no root."""
import base64, json, os, re, shutil, signal, subprocess, sys, tempfile, time, zlib

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
# The subjects that docs/manual/sweep-cluster.md names.
SUBJECTS = ["heft.>", "$JS.API.>", "$JS.ACK.>", "_INBOX.>"]


def run(*command, data=None, check=True, environment=None):
    done = subprocess.run(command, capture_output=True, input=data, env=dict(os.environ, **(environment or {})), timeout=120)
    if check and done.returncode != 0:
        sys.exit("security: %s: code %d: %s" % (" ".join(command), done.returncode, done.stderr.decode()[-1500:]))
    return done


# ---- certificates

def make_authority(name):
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=" + name, "-keyout", name + ".key", "-out", name + ".pem")


def make_certificate(name, authority):
    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=" + name,
        "-keyout", name + ".key", "-out", name + ".csr")
    with open(name + ".ext", "w") as file:
        file.write("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
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
    finally:
        for s in servers:
            s.close()
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
    print("security: ok")


main()
