# SPDX-License-Identifier: Apache-2.0
"""A wheel of Heft, installed by pip into an empty environment, runs with the libraries that it holds.

1. Makes the wheel, from the libraries of a build folder or, without one, from the source distribution
   alone. Two wheels have the same bytes.
2. Looks into it: the limited API, the list of files with their hashes, no library from outside but glibc,
   no path of the machine that built it.
3. Makes an environment (python3 -m venv), installs the wheel (pip install --no-index) and runs the first
   program of the manual in it. Where the kernel allows, Debian's copies of the bundled libraries and the
   build folder are hidden meanwhile. Every library that ``import heft`` maps must be glibc's or the wheel's.

usage: wheel.py <source folder> <folder for the work> [build folder]
"""

from __future__ import annotations

import csv
import base64
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

SOURCE, WORK = (os.path.abspath(path) for path in sys.argv[1:3])
BUILD = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else ""
sys.dont_write_bytecode = True
sys.path.insert(0, f"{SOURCE}/python/backend")
import bundle  # noqa: E402

PAGE = f"{SOURCE}/docs/manual/python.md"


def skip(reason: str) -> None:
    print(f"skipped: {reason}")
    sys.exit(77)


def run(*command: str, cwd: str | None = None, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd, env=env)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def make_wheel(folder: str, source: str, **settings: str) -> str:
    """Calls the backend as pip does: in a process of its own, in the folder of the sources."""
    os.makedirs(folder)
    call = f"import heft_backend; heft_backend.build_wheel({folder!r}, {settings!r})"
    environment = {**os.environ, "PYTHONPATH": f"{source}/python/backend", "SOURCE_DATE_EPOCH": "1700000000",
                   "PYTHONDONTWRITEBYTECODE": "1"}
    print(run(sys.executable, "-c", call, cwd=source, env=environment).strip().splitlines()[-1])
    (wheel,) = glob.glob(f"{folder}/*.whl")
    return wheel


def unpack_sdist(folder: str) -> str:
    """Writes the source distribution and unpacks it: the folder of the sources."""
    os.makedirs(folder)
    environment = {**os.environ, "PYTHONPATH": f"{SOURCE}/python/backend"}
    run(sys.executable, "-c", f"import heft_backend; heft_backend.build_sdist({folder!r})", cwd=SOURCE, env=environment)
    (archive,) = glob.glob(f"{folder}/*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder)
    return archive.removesuffix(".tar.gz")


def look_into(wheel: str, folder: str) -> list[str]:
    """Checks the files of the wheel. Returns the paths of Debian's libraries that have copies in it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
        names = archive.namelist()
    with open(glob.glob(f"{folder}/*.dist-info/RECORD")[0], newline="") as file:
        record = {row[0]: row[1] for row in csv.reader(file)}
    assert set(record) == set(names), set(record) ^ set(names)
    modules = bundle.modules(folder)
    run(sys.executable, f"{SOURCE}/python/check_abi3.py", *modules)
    libraries = sorted(glob.glob(f"{folder}/{bundle.LIBRARIES}/*"))
    held = {os.path.basename(path) for path in libraries}
    for path in modules + libraries:
        for name in bundle.needed(path):
            assert name in held or not bundle.is_bundled(name), f"{path} needs {name} from outside"
        rpath = re.findall(r"\((R(?:UN)?PATH)\).*\[(.*)\]", run("readelf", "-d", path))
        assert rpath == [("RPATH", "$ORIGIN" if path in libraries else "$ORIGIN/../heft.libs")], (path, rpath)
    for name in names:
        with open(f"{folder}/{name}", "rb") as data:
            content = data.read()
        if not name.endswith("/RECORD"):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert record[name] == f"sha256={digest}", name
        for place in (SOURCE, WORK, BUILD):
            assert not place or place.encode() not in content, f"{name} holds the path {place}"
    tag = re.search(r"-cp311-abi3-(manylinux_2_\d+_\w+)\.whl$", wheel)
    assert tag and tag[1] == bundle.platform_tag(folder)[0], wheel
    print(f"{os.path.basename(wheel)}: {os.path.getsize(wheel) / 1e6:.2f} MB, {len(modules)} modules, "
          f"{len(libraries)} libraries: {' '.join(sorted(held))}")
    foreign = {re.sub(r"-[0-9a-f]{8}(?=\.so)", "", name) for name in held if not name.startswith("libheft")}
    places = dict(re.findall(r"(\S+) \(.*\) => (/\S+)", run("/sbin/ldconfig", "-p")))
    return sorted(os.path.realpath(places[name]) for name in foreign if name in places)


def make_environment(folder: str, wheel: str) -> str:
    """An environment with NumPy and the wheel. Returns its Python."""
    run(sys.executable, "-m", "venv", folder)
    python = f"{folder}/bin/python"
    (site,) = glob.glob(f"{folder}/lib/python3*/site-packages")
    # NumPy comes from Debian, with its entry in the list of packages: there is no index to install it from.
    place = os.path.dirname(os.path.dirname(str(__import__("numpy").__file__)))
    for part in glob.glob(f"{place}/numpy") + glob.glob(f"{place}/numpy-*-info"):
        os.symlink(part, f"{site}/{os.path.basename(part)}")
    print(run(python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheel).strip().splitlines()[-1])
    return python


def first_program(path: str) -> str:
    """The first program of the page; it has at most 12 lines."""
    with open(path) as page:
        program = re.search(r"^```python\n(.*?)^```", page.read(), re.MULTILINE | re.DOTALL)
    assert program, f"{path} shows no program"
    lines = [line for line in program[1].splitlines() if line.strip()]
    assert len(lines) <= 12, f"the first program of {path} has {len(lines)} lines"
    return program[1]


MAPS = """
import re, sys, numpy
def mapped():
    return {line.split(None, 5)[5].strip() for line in open("/proc/self/maps") if ".so" in line}
before = mapped()
import heft, heft._core
inside = sys.prefix + "/"
glibc = re.compile(r"/(lib(c|m|pthread|dl|rt|util|gcc_s|stdc\\+\\+)\\.so\\.|ld-linux)")
foreign = [path for path in mapped() - before if not path.startswith(inside) and not glibc.search(path)
           and "/lib-dynload/" not in path]
assert not foreign, f"import heft maps {foreign}"
print("import heft maps", len([path for path in mapped() if path.startswith(inside)]), "files of the wheel and no others")
"""


def hidden(libraries: list[str], command: list[str]) -> list[str]:
    """The command in a namespace where the libraries are empty files and the build folder is an empty one."""
    # Debian's Python itself is linked with some of them.
    interpreter = run("ldd", os.path.realpath(sys.executable))
    hide = [path for path in libraries if os.path.basename(path).split(".so")[0] + ".so" not in interpreter]
    mounts = [f"mount --bind /dev/null '{path}'" for path in hide]
    if BUILD:
        mounts += [f"mount -t tmpfs none '{BUILD}/lib'"]
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    shell = ["unshare", "--mount", *user, "sh", "-ec", "\n".join([*mounts, 'exec "$@"']), "sh"]
    if shutil.which("unshare") is None or subprocess.run([*shell, "true"], capture_output=True).returncode != 0:
        print("the kernel does not allow to hide files: the libraries of the build stay visible")
        return command
    print("hidden:", " ".join([*hide, *([f"{BUILD}/lib"] if BUILD else [])]))
    return [*shell, *command]


def main() -> None:
    for tool, package in (("patchelf", "patchelf"), ("cmake", "cmake"), ("readelf", "binutils")):
        if shutil.which(tool) is None:
            skip(f"{tool} is not installed (Debian: apt install {package})")
    for name, package in (("numpy", "python3-numpy"), ("ensurepip", "python3-venv")):
        try:
            __import__(name)
        except ImportError:
            skip(f"{sys.executable} has no {name} (Debian: apt install {package})")
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    sources = [SOURCE, SOURCE] if BUILD else [unpack_sdist(f"{WORK}/sdist-{n}") for n in "ab"]
    settings = {"build": BUILD} if BUILD else {}
    wheel, again = (make_wheel(f"{WORK}/wheel-{i}", source, bundle="yes", **settings) for i, source in enumerate(sources))
    with open(wheel, "rb") as one, open(again, "rb") as other:
        assert one.read() == other.read(), "two builds of the wheel differ"
    libraries = look_into(wheel, f"{WORK}/content")
    python = make_environment(f"{WORK}/venv", wheel)
    clean = {"PATH": "/usr/bin:/bin", "HOME": WORK}
    print(run(*hidden(libraries, [python, "-I", "-c", MAPS]), env=clean, cwd=WORK).strip())
    if os.path.exists(PAGE):
        with open(f"{WORK}/first.py", "w") as file:
            file.write(first_program(PAGE))
        print(run(*hidden(libraries, [python, "-I", f"{WORK}/first.py"]), env=clean, cwd=WORK).strip())


main()
