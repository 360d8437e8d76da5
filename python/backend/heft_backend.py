# SPDX-License-Identifier: Apache-2.0
"""Builds the Python package with CMake, by the interface of PEP 517.

`python3 -m build` and `pip` call `build_sdist` and `build_wheel`. Settings, given as
``python3 -m build -C name=value`` or ``pip install --config-settings name=value``:

=======  ==============================================================================================
bundle   ``yes``: the wheel holds all libraries that it needs and is named by the oldest glibc that it
         runs with. ``no``: it holds Heft's own libraries and runs on this machine. Without a setting:
         ``yes`` where patchelf is installed.
view     ``yes``: fail where the libraries of the viewer are absent. ``no``: build no ``heft._view``.
         Without a setting: build it where they are installed.
build    a build folder of CMake whose libraries and modules are taken as they are, instead of a new build
cmake    more arguments for CMake, separated by blanks
=======  ==============================================================================================

The wheel is tagged cp311-abi3: its modules use the limited API of Python 3.11. The same sources, the same
tools and the same SOURCE_DATE_EPOCH give the same bytes, in any folder.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from typing import Any

import archive
import bundle as bundling

Settings = dict[str, Any] | None

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_PYTHON_TAG = "cp311-abi3"

# What a build of the package reads; the tests of the package come along, and the models that they load.
_SDIST = ("CMakeLists.txt", "CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", "apps/view", "cmake", "include",
          "models", "python", "scenes", "src", "tools/api.py", "tools/layers.txt")
_SDIST_SUFFIXES = (".c", ".h", ".inc", ".cpp", ".cmake", ".in", ".map", ".md", ".py", ".pyi", ".toml", ".txt", ".typed",
                   ".xml", ".urdf", "LICENSE")


def _read(*path: str) -> bytes:
    with open(os.path.join(_ROOT, *path), "rb") as file:
        return file.read()


def _setting(settings: Settings, name: str) -> str:
    """The value of a setting, "" where it is not given. A wrong name or value ends the build."""
    known = {"bundle": ("", "yes", "no"), "view": ("", "yes", "no"), "build": None, "cmake": None}
    for given in settings or {}:
        if given not in known:
            raise SystemExit(f"heft: there is no setting \"{given}\"; known are {', '.join(known)}")
    value = str((settings or {}).get(name, ""))
    values = known[name]
    if values is not None and value not in values:
        raise SystemExit(f"heft: setting {name}={value}: expected yes or no")
    return value


def _version() -> str:
    numbers = re.findall(r"#define HEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", _read("include/heft/version.h").decode())
    return ".".join(numbers)


def _metadata() -> bytes:
    """The file METADATA (PKG-INFO in a source distribution), written from pyproject.toml."""
    project = tomllib.loads(_read("pyproject.toml").decode())["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {_version()}",
             f"Summary: {project['description']}", f"Keywords: {','.join(project['keywords'])}",
             f"License: {project['license']['text']}"]
    lines += [f"Classifier: {classifier}" for classifier in project["classifiers"]]
    lines += [f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {requirement}" for requirement in project["dependencies"]]
    for extra, requirements in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"]
        lines += [f"Requires-Dist: {requirement}; extra == \"{extra}\"" for requirement in requirements]
    lines += ["Description-Content-Type: text/markdown", "", _read(project["readme"]).decode()]
    return "\n".join(lines).encode()


def _dist_info(tag: str) -> dict[str, bytes]:
    info = f"heft-{_version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: heft_backend {_version()}\nRoot-Is-Purelib: false\nTag: {tag}\n"
    return {f"{info}/METADATA": _metadata(), f"{info}/WHEEL": wheel.encode(), f"{info}/licenses/LICENSE": _read("LICENSE")}


def _cmake(*arguments: str) -> None:
    # What CMake and the compiler say goes to the error stream: the hooks own the output.
    if subprocess.run(["cmake", *arguments], stdout=sys.stderr.fileno()).returncode != 0:
        raise SystemExit(f"heft: cmake {' '.join(arguments)} failed; see its output above")


def _build(settings: Settings, build: str, stage: str) -> None:
    """Compiles the libraries and modules in ``build`` and puts the package into ``stage``."""
    for tool, package in (("cmake", "cmake"), ("readelf", "binutils")):
        if shutil.which(tool) is None:
            raise SystemExit(f"heft: {tool} is not installed (Debian: apt install {package})")
    view = _setting(settings, "view")
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DHEFT_BUILD_TESTS=OFF", "-DHEFT_BUILD_APPS=OFF", "-DHEFT_BUILD_PYTHON=ON",
               f"-DHEFT_BUILD_VIEWER={'OFF' if view == 'no' else 'ON'}", f"-DHEFT_PACKAGE_PYTHON={sys.executable}",
               # No path of this build in any file: the same bytes from every folder.
               "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON"]
    generator = ["-GNinja"] if shutil.which("ninja") else []
    if not _setting(settings, "build"):
        _cmake("-S", _ROOT, "-B", build, *generator, *options, *shlex.split(_setting(settings, "cmake")))
        _cmake("--build", build, "--target", "heft_python", "--parallel", str(os.cpu_count() or 1))
    _cmake("--install", build, "--prefix", stage, "--component", "python")
    if view == "yes" and not os.path.exists(f"{stage}/heft/_view.abi3.so"):
        raise SystemExit("heft: view=yes, but the viewer was not built; CMake's output above says what is missing")


def _bundle(settings: Settings, build: str, stage: str) -> tuple[str, dict[str, bytes]]:
    """Adds the libraries to ``stage``. Returns the tag of the platform and the notices of the libraries."""
    wanted = _setting(settings, "bundle") or ("yes" if shutil.which("patchelf") else "no")
    if wanted == "no":
        bundling.copy_own(stage, f"{build}/lib")
        print("heft: a wheel for this machine, without the libraries of others", file=sys.stderr)
        return f"linux_{platform.machine()}", {}
    if shutil.which("patchelf") is None:
        raise SystemExit("heft: bundle=yes needs patchelf (Debian: apt install patchelf)")
    foreign = bundling.bundle(stage, f"{build}/lib")
    tag, reason = bundling.platform_tag(stage)
    print(f"heft: {tag} because of {reason}", file=sys.stderr)
    notices = {}
    for name, path in sorted(foreign.items()):
        text = bundling.notice(path)
        if text is None:
            print(f"heft: add the licence of {path} to the wheel before you give it away", file=sys.stderr)
        else:
            notices[f"heft-{_version()}.dist-info/licenses/{name.split('-')[0]}.txt"] = text
    return tag, notices


def _files(folder: str) -> dict[str, bytes]:
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return []


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """Writes the dist-info, so that pip can read the dependencies without a build."""
    for name, content in _dist_info(f"{_PYTHON_TAG}-linux_{platform.machine()}").items():
        path = os.path.join(metadata_directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    return f"heft-{_version()}.dist-info"


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Builds a wheel in ``wheel_directory`` and returns its name."""
    with tempfile.TemporaryDirectory(prefix="heft-wheel-") as work:
        build, stage = _setting(config_settings, "build") or f"{work}/build", f"{work}/stage"
        _build(config_settings, build, stage)
        try:
            platform_tag, notices = _bundle(config_settings, build, stage)
        except bundling.BundleError as error:
            raise SystemExit(f"heft: {error}") from None
        tag = f"{_PYTHON_TAG}-{platform_tag}"
        files = {**_files(stage), **_dist_info(tag), **notices}
        name = f"heft-{_version()}-{tag}.whl"
        archive.write_wheel(os.path.join(wheel_directory, name), files, f"heft-{_version()}.dist-info")
    return name


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Writes the sources that a build of the package reads, and returns the name of the archive."""
    files = {"PKG-INFO": _metadata()}
    for part in _SDIST:
        path = os.path.join(_ROOT, part)
        if os.path.isdir(path):
            files |= {f"{part}/{name}": content for name, content in _files(path).items() if name.endswith(_SDIST_SUFFIXES)}
        elif os.path.exists(path):
            files[part] = _read(part)
    name = f"heft-{_version()}"
    archive.write_sdist(os.path.join(sdist_directory, f"{name}.tar.gz"), name, files)
    return f"{name}.tar.gz"
