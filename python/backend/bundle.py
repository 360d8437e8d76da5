# SPDX-License-Identifier: Apache-2.0
"""Makes a folder of extension modules independent of the libraries of the machine that built them.

Every shared library that a module needs is copied to ``heft.libs`` beside the package, unless each Linux
with glibc has it. The modules find the copies by their RPATH, which goes before LD_LIBRARY_PATH. A copy
of a foreign library is renamed by a hash of its content, so that a process may hold another version
of it, too; the libraries of Heft keep their names, because plug-ins ask for them.

The folder then runs on every Linux whose glibc is at least the newest one that a symbol asks for:
`platform_tag` names it in the form of PEP 600. (auditwheel does the same, and more; Debian 12 has none.)
"""

from __future__ import annotations

import glob
import hashlib
import os
import platform
import re
import shutil
import subprocess

LIBRARIES = "heft.libs"

# Part of glibc, or of the compiler's runtime that PEP 600 allows.
_GLIBC = re.compile(r"^(lib(c|m|pthread|dl|rt|util|gcc_s|stdc\+\+)\.so\.\d+|ld-linux.*)$")
# The screen belongs to the system: EGL talks to its driver, SDL2 brings fifty libraries for screens and
# sound. heft._view says what to install where they are absent; heft._core needs none of them.
_SCREEN = re.compile(r"^lib(EGL|SDL2-2\.0)\.so\.\d+$")


class BundleError(Exception):
    """A library that a module needs is absent, or a tool failed."""


def _run(*command: str, libraries: str = "") -> str:
    environment = {**os.environ, "LC_ALL": "C"}
    if libraries:
        environment["LD_LIBRARY_PATH"] = libraries
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise BundleError(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return done.stdout


def needed(path: str) -> list[str]:
    """Names of the libraries that the file at ``path`` asks for."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", _run("readelf", "-d", path))


def is_bundled(name: str) -> bool:
    """Whether a library of this name has to come with the wheel."""
    return not (_GLIBC.match(name) or _SCREEN.match(name))


def modules(folder: str) -> list[str]:
    """The extension modules of the package in ``folder``."""
    return sorted(glob.glob(f"{glob.escape(folder)}/heft/*.so"))


def _collect(folder: str, built: str) -> dict[str, str]:
    """Paths of all libraries to bundle, by the name under which they are asked for."""
    found: dict[str, str] = {}
    waiting = modules(folder)
    while waiting:
        path = waiting.pop()
        places = dict(re.findall(r"(\S+) => (/\S+)", _run("ldd", path, libraries=built)))
        for name in needed(path):
            if not is_bundled(name) or name in found:
                continue
            if name not in places:
                raise BundleError(f"{path} needs {name}, which is not installed here")
            found[name] = os.path.realpath(places[name])
            waiting.append(found[name])
    return found


def _new_name(name: str, path: str) -> str:
    if name.startswith("libheft"):
        return name
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:8]
    return name.replace(".so", f"-{digest}.so", 1)


def copy_own(folder: str, built: str) -> None:
    """Copies Heft's libraries only; the others remain those of this machine."""
    os.makedirs(f"{folder}/{LIBRARIES}")
    for name, path in _collect(folder, built).items():
        if name.startswith("libheft"):
            shutil.copy(path, f"{folder}/{LIBRARIES}/{name}")


def bundle(folder: str, built: str) -> dict[str, str]:
    """Copies all libraries and repairs the names in them. Returns the paths of the foreign ones by name.

    ``built`` is the folder of Heft's own libraries.
    """
    found = _collect(folder, built)
    names = {name: _new_name(name, path) for name, path in sorted(found.items())}
    os.makedirs(f"{folder}/{LIBRARIES}")
    copies = []
    for name, path in sorted(found.items()):
        copies.append(f"{folder}/{LIBRARIES}/{names[name]}")
        shutil.copy(path, copies[-1])
        os.chmod(copies[-1], 0o755)
    for path in modules(folder) + copies:
        # patchelf 0.14 moves sections in a way that strip would break: strip goes first.
        _run("strip", "--strip-unneeded", path)
        for name in needed(path):
            if names.get(name, name) != name:
                _run("patchelf", "--replace-needed", name, names[name], path)
        if path in copies:
            _run("patchelf", "--set-soname", os.path.basename(path), path)
        origin = "$ORIGIN" if path in copies else f"$ORIGIN/../{LIBRARIES}"
        _run("patchelf", "--force-rpath", "--set-rpath", origin, path)
    return {names[name]: path for name, path in found.items() if not name.startswith("libheft")}


def platform_tag(folder: str) -> tuple[str, str]:
    """The tag of PEP 600 for all files of ``folder``, and the symbol that asks for the newest glibc."""
    newest, reason = (0, 0), ""
    for path in modules(folder) + sorted(glob.glob(f"{glob.escape(folder)}/{LIBRARIES}/*")):
        for major, minor, symbol in re.findall(r"\(?GLIBC_(\d+)\.(\d+)[.\d]*\)?\s+(\S+)$",
                                               _run("objdump", "-T", path), re.MULTILINE):
            version = int(major), int(minor)
            if version > newest:
                newest, reason = version, f"{symbol} in {os.path.basename(path)}"
    machine = platform.machine()
    if newest == (0, 0):
        return f"linux_{machine}", "no symbol of glibc"
    return f"manylinux_{newest[0]}_{newest[1]}_{machine}", reason


def notice(path: str) -> bytes | None:
    """Copyright notice of a library of Debian, None where it is not known."""
    for name in (path, re.sub("^/usr", "", path)):  # both names of a merged /usr
        done = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if done.returncode == 0:
            package = done.stdout.split(":")[0]
            try:
                with open(f"/usr/share/doc/{package}/copyright", "rb") as file:
                    return file.read()
            except OSError:
                return None
    return None
