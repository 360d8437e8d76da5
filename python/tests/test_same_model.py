# SPDX-License-Identifier: Apache-2.0
"""A file gives one model: the command, C, Python and JavaScript load robots as they come, without an option, and the
hashes are equal.

The robots are those of ../shared/models (HEFT_SHARED_DIR) and of the project. JavaScript takes part if the npm package
is built: HEFT_NPM, or build/wasm-simd/npm.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import heft

SOURCE = Path(os.environ.get("HEFT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
SHARED = Path(os.environ.get("HEFT_SHARED_DIR", SOURCE.parent / "shared"))
BUILD = Path(heft.__file__).absolute().parents[2]
NPM = Path(os.environ.get("HEFT_NPM", SOURCE / "build" / "wasm-simd" / "npm"))
# Tools have sanitizers of their own, where Python needs one to be loaded before it (sanitized.py).
ALONE = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}

C = r"""
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    HeftModel* model = NULL;
    HeftError error = {0};
    if (heft_model_load_file(&model, argv[i], NULL, &error) != HEFT_OK) printf("%s\n", error.message);
    else printf("%016llx\n", (unsigned long long)heft_model_hash(model));
    heft_model_destroy(model);
  }
}
"""

# Reads all files of a package from the disk into the memory of the module.
JAVASCRIPT = r"""
import fs from 'node:fs';
import path from 'node:path';
const { init } = await import(process.argv[2] + '/heft.js');
const heft = await init();
for (const robot of process.argv.slice(3)) {
  const parts = robot.split(path.sep);
  const root = parts.slice(0, -3).join(path.sep);
  const folder = parts.at(-3);
  const files = {};
  const read = (at) => {
    for (const entry of fs.readdirSync(path.join(root, at), { withFileTypes: true })) {
      const file = at + '/' + entry.name;
      if (entry.isDirectory()) read(file);
      else if (/\.(urdf|xml|dae|obj|mtl|stl|png)$/i.test(entry.name)) files[file] = fs.readFileSync(path.join(root, file));
    }
  };
  read(folder);
  const model = heft.load(files, { main: parts.slice(-3).join('/') });
  console.log(model.hash.toString(16).padStart(16, '0'));
  model.free?.();
}
"""


def robots() -> list[Path]:
    found = sorted((SHARED / "models" / "urdf").glob("*/*/*.urdf"))
    return found


def lines(*command: object, count: int) -> list[str]:
    done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, env=ALONE)
    out = done.stdout.split("\n")[:-1]
    assert len(out) == count, done.stdout + done.stderr
    return out


def of_command(paths: list[Path]) -> list[str]:
    done = subprocess.run([BUILD / "bin" / "heft", "info", "--short", "--quiet", *paths], check=True,
                          capture_output=True, text=True, env=ALONE)
    return re.findall(r"^ *hash +([0-9a-f]{16})$", done.stdout, re.MULTILINE)


def of_c(paths: list[Path], work: Path) -> list[str]:
    (work / "load.c").write_text(C)
    program = work / "load"
    subprocess.run([os.environ.get("CC", "cc"), work / "load.c", "-o", program, f"-I{SOURCE}/include",
                    f"-I{BUILD}/include", f"-L{BUILD}/lib", "-lheft_io", "-lheft", f"-Wl,-rpath,{BUILD}/lib"], check=True)
    return lines(program, *paths, count=len(paths))


def of_python(paths: list[Path]) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", heft.LoadWarning)
        return [f"{heft.load(path).hash():016x}" for path in paths]


def of_javascript(paths: list[Path], work: Path) -> list[str] | None:
    if not (NPM / "heft.wasm").exists() or not shutil.which("node"):
        print("JavaScript takes no part: the npm package is not built, or there is no node", file=sys.stderr)
        return None
    (work / "load.mjs").write_text(JAVASCRIPT)
    return lines("node", work / "load.mjs", NPM, *paths, count=len(paths))


def test_one_file_is_one_model(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    paths = robots()
    if not paths:
        pytest.skip(f"there are no robots in {SHARED / 'models' / 'urdf'}")
    if not (BUILD / "bin" / "heft").exists():
        pytest.skip("the command heft was not built")
    assert len(paths) > 10
    ways = {"command": of_command(paths), "Python": of_python(paths)}
    if "asan" not in os.environ.get("LD_PRELOAD", ""):  # a program that links a sanitized library must be sanitized itself
        ways["C"] = of_c(paths, tmp_path)
    javascript = of_javascript(paths, tmp_path)
    if javascript is not None:
        ways["JavaScript"] = javascript
    with capfd.disabled():
        print()
        for i, path in enumerate(paths):
            print(f"{path.stem:34} {ways['command'][i]}  {len({hashes[i] for hashes in ways.values()})} model by {', '.join(ways)}")
    assert len({json.dumps(hashes) for hashes in ways.values()}) == 1
    assert len(set(ways["command"])) == len(paths)


def test_one_file_is_one_picture(tmp_path: Path) -> None:
    """By the command and by Python, byte for byte; HEFT_FULL=1: of all robots with shapes. The command adds the skeleton of others."""
    paths = [path for path in robots() if path.stem == "panda" or "HEFT_FULL" in os.environ and "simple_humanoid" not in path.stem]
    if not paths:
        pytest.skip(f"there are no robots in {SHARED / 'models' / 'urdf'}")
    for path in paths:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", heft.LoadWarning)
            world = heft.World(heft.load(path))
        try:
            heft.render(world, 320, 240, camera=(30, 20, 3, 0, 0, 0.5), path=tmp_path / "python.png")
        except (ImportError, heft.Error) as error:
            pytest.skip(f"no pictures here: {error}")
        subprocess.run([BUILD / "bin" / "heft", "render", path, tmp_path / "command.png", "--time", "0", "--size", "320x240",
                        "--camera", "30,20,3,0,0,0.5"], check=True, capture_output=True, env=ALONE)
        assert (tmp_path / "python.png").read_bytes() == (tmp_path / "command.png").read_bytes(), path


def test_meshes_of_panda_are_there(tmp_path: Path) -> None:
    panda = SHARED / "models" / "urdf" / "panda_description" / "urdf" / "panda.urdf"
    if not panda.exists():
        pytest.skip(f"there is no {panda}")
    with pytest.warns(heft.LoadWarning, match="overlap"):
        model = heft.load(panda)
    assert model.nmesh > 60 and model.nface > 100000
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "overlap")
        warnings.filterwarnings("ignore", "(?!.*overlap)")
        apart = heft.load(panda, excludes="overlaps")
    assert model.overlaps() and not apart.overlaps()
    assert apart.nexclude == len(model.overlaps())
