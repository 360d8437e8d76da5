#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The job file for Kubernetes, without Kubernetes: reads it as YAML, checks that its parts fit together, compares it with
the types of Kubernetes' API (of npm, if the network allows) by the compiler of TypeScript, and runs the command line of
its container once for each index, with the environment variables that Kubernetes sets, in a mount namespace in which
/plan and /results are its volumes. One pod is killed and started again. The results must have the SHA-256 of one process.

usage: kubernetes.py HEFT

Needs root, unshare and python3-yaml; exit code 77 says what is missing. Not a part of the gate."""
import json, os, re, shutil, signal, subprocess, sys, tempfile, time

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "sweep")


def need(condition, text):
    if not condition:
        sys.exit("kubernetes: " + text)


def read_job():
    with open(os.path.join(EXAMPLES, "kubernetes", "grasp.yaml")) as file:
        job, = yaml.safe_load_all(file)
    need(job["apiVersion"] == "batch/v1" and job["kind"] == "Job", "it is no Job")
    spec, pod = job["spec"], job["spec"]["template"]["spec"]
    container, = pod["containers"]
    environment = {e["name"]: e["value"] for e in container["env"]}
    need(all(isinstance(v, str) for v in environment.values()), "values of the environment must be texts")
    need(all(isinstance(a, str) for a in container["command"]), "words of the command must be texts")
    need(spec["completionMode"] == "Indexed", "pods have no index")
    need(environment["HEFT_SHARD_COUNT"] == str(spec["completions"]), "the number of shards is not that of the pods")
    need({m["name"] for m in container["volumeMounts"]} == {v["name"] for v in pod["volumes"]}, "mounts and volumes differ")
    need(pod["restartPolicy"] == "OnFailure", "a pod that is evicted would not start again")
    return job, spec["completions"], container["command"], environment, [m["mountPath"] for m in container["volumeMounts"]]


def check_types(job, folder):
    """Unknown names, missing ones and values of other types are errors."""
    os.mkdir(folder)
    if not shutil.which("npm") or subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", "kubernetes-types@1.30", "typescript@5"],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300).returncode != 0:
        return print("kubernetes: the job was not compared with the types of the API: npm has no packages")
    for name, tail, valid in (("job", "", True), ("wrong", ', "jobs": 1', False)):
        with open("%s/%s.ts" % (folder, name), "w") as file:
            file.write("import type {Job} from 'kubernetes-types/batch/v1';\nexport const job: Job = %s%s};\n" % (json.dumps(job)[:-1], tail))
        done = subprocess.run(["node", "node_modules/typescript/bin/tsc", "--noEmit", "--strict", name + ".ts"], cwd=folder,
                              capture_output=True, text=True)
        need((done.returncode == 0) == valid, "types of the API: %s: %s" % (name, done.stdout))
    print("kubernetes: the job has the types of the API")


def start_pod(heft, index, command, environment, mounts, folder):
    """The command of the container, with its mounts and variables alone."""
    bind = "".join('mount --bind "%s%s" "%s"; ' % (folder, m, m) for m in mounts)
    inside = dict(environment, JOB_COMPLETION_INDEX=str(index), PATH=os.path.dirname(heft) + ":/usr/bin:/bin")
    script = "set -e; mount --make-rprivate /; " + bind + 'exec env -i %s "$@"' % " ".join('%s="%s"' % v for v in inside.items())
    return subprocess.Popen(["unshare", "--mount", "sh", "-c", script, "sh", *command, "--quiet"], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if os.geteuid() != 0 or not shutil.which("unshare"):
        print("skipped: mount namespaces need root and unshare")
        sys.exit(77)
    job, completions, command, environment, mounts = read_job()
    folder = tempfile.mkdtemp(prefix="heft-kubernetes-")
    made = [m for m in mounts if not os.path.exists(m)]
    try:
        check_types(job, folder + "/types")
        heft = os.path.join(folder, "bin", "heft")  # as in an image: by its name alone
        os.mkdir(os.path.join(folder, "bin"))
        shutil.copy(sys.argv[1], heft)
        for m in mounts:
            os.mkdir(folder + m)
            os.makedirs(m, exist_ok=True)
        for name in os.listdir(EXAMPLES):
            if os.path.isfile(os.path.join(EXAMPLES, name)):  # what kubectl create configmap --from-file takes
                shutil.copy(os.path.join(EXAMPLES, name), folder + "/plan")
        plan = folder + "/plan/grasp.toml"
        with open(plan) as file:
            text = re.sub(r"(?m)^runs = .*", "runs = 4000\nchunk = 10", file.read())
        with open(plan, "w") as file:
            file.write(text)
        subprocess.run([heft, "sweep", "run", plan, "--out", folder + "/alone", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        out = folder + command[command.index("--out") + 1]
        evicted = start_pod(heft, 3, command, environment, mounts, folder)
        until = time.monotonic() + 60
        while evicted.poll() is None and time.monotonic() < until and not os.path.exists(out + "/chunks/000003.h5"):
            time.sleep(0.001)
        evicted.send_signal(signal.SIGKILL)
        evicted.wait()
        waiting, running = list(range(completions)), []
        while waiting or running:
            while waiting and len(running) < 2:
                running.append((waiting[0], start_pod(heft, waiting.pop(0), command, environment, mounts, folder)))
            index, pod = running.pop(0)
            error = pod.communicate()[1].decode()
            need(pod.returncode == 0, "pod %d: code %d: %s" % (index, pod.returncode, error))
        subprocess.run([heft, "sweep", "run", plan, "--out", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        found = [subprocess.run([heft, "sweep", "hash", f], check=True, capture_output=True, text=True).stdout.strip()
                 for f in (folder + "/alone", out)]
        need(found[0] == found[1], "SHA-256 %s, expected %s" % (found[1], found[0]))
        print("kubernetes: %d pods, one killed and started again: %s, as one process" % (completions, found[1]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        for m in made:
            os.rmdir(m)


main()
