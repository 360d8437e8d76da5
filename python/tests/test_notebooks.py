# SPDX-License-Identifier: Apache-2.0
"""The notebooks of examples/python run from start to end, and what notebooks show of models, worlds and logs."""

import base64
import contextlib
import io
import json
import os
import re
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heft
from heft import _html

SOURCE = Path(os.environ["HEFT_SOURCE_DIR"])
NOTEBOOKS = sorted((SOURCE / "examples" / "python").glob("*.ipynb"))
PRINTED = {"read_a_log": r"vertical force at the end (\d+)\.\d N, weight \1\.\d N",
           "linear_arm": r"error after 3 s: 0\.[1-9]\d* rad without, 0\.000\d+ rad with",
           "depth_and_lidar": r"of 360 beams return, the nearest at 1\.1"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[p.stem for p in NOTEBOOKS])
def test_notebook_as_a_script(path: Path) -> None:
    """Cell after cell in one namespace; HEFT_FULL=1 also runs them in a kernel (nbclient)."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    cells = json.loads(path.read_text())["cells"]
    assert all(not cell.get("outputs") for cell in cells), "clear the outputs before a commit"
    space: dict[str, Any] = {"__name__": "__main__"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in cells:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), str(path), "exec"), space)
    matplotlib.pyplot.close("all")
    assert re.search(PRINTED[path.stem], printed.getvalue()), printed.getvalue()


if "HEFT_FULL" in os.environ:  # the long form

    @pytest.mark.parametrize("path", NOTEBOOKS, ids=[p.stem for p in NOTEBOOKS])
    def test_notebook_in_a_kernel(path: Path) -> None:
        pytest.importorskip("ipykernel")
        nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
        notebook = nbformat.read(path, 4)
        nbclient.NotebookClient(notebook, timeout=300).execute()
        folder = os.environ.get("HEFT_NOTEBOOKS")  # where to put them, to look at
        if folder:
            nbformat.write(notebook, Path(folder) / path.name)


def test_html_of_a_world() -> None:
    world = heft.World(heft.load(heft.models.path("quadruped")))
    text = world._repr_html_()
    assert "&lt;heft.World at 0 s" in text and "<script" not in text
    picture = re.search(r'base64,([^"]+)"', text)
    if picture:
        assert base64.b64decode(picture[1]).startswith(b"\x89PNG")
    assert "heft.Model" in world.model._repr_html_()
    world.close()
    assert world._repr_html_() == "<code>&lt;heft.World, closed&gt;</code>"


def test_png() -> None:
    """The bytes are those of a picture, as another reader reads them."""
    image = pytest.importorskip("PIL.Image")
    pixels = np.random.default_rng(1).integers(0, 256, (7, 5, 3), np.uint8)
    read = np.asarray(image.open(io.BytesIO(_html._png(pixels))))
    assert (read == pixels).all()


def test_page_gets_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.html").write_text("<p>the page</p>")
    monkeypatch.setattr(_html, "_PAGE", str(tmp_path))
    monkeypatch.setattr(_html, "_server", [])
    model = heft.load(heft.models.path("quadruped"))
    found = re.search(r'src="(http://127.0.0.1:\d+/)\?scene=([\w.-]+)"', model._repr_html_())
    assert found
    with urllib.request.urlopen(found[1]) as answer:
        assert b"the page" in answer.read()
    with urllib.request.urlopen(f"{found[1]}scenes/{found[2]}") as answer:
        assert heft.loads(answer.read().decode()).hash() == heft.loads(_text(model, tmp_path)).hash()
    _html._server[0].shutdown()
    _html._server[0].server_close()


def _text(model: heft.Model, folder: Path) -> str:
    model.write(folder / "model.xml")
    return (folder / "model.xml").read_text()


def test_plot_of_a_log(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import heft.plot
    world = heft.World(heft.gym.make("hopper").task.model)
    with heft.Log(tmp_path / "run.mcap", world.model) as log:
        for _ in range(5):
            log.write(world, world.step())
    rows = heft.read_log(tmp_path / "run.mcap")
    axes = heft.plot.log(rows)
    assert len(axes.lines) == world.model.nq and axes.get_legend().get_texts()[-1].get_text() == "ankle"
    panels = heft.plot.log(rows, "v2", "report.kinetic", "sensors")
    assert [len(panel.lines) for panel in panels] == [1, 1, world.model.nsensordata]
    ant = heft.World(heft.gym.make("ant").task.model)
    with heft.Log(tmp_path / "ant.mcap", ant.model) as log:
        log.write(ant, ant.step())
    assert len(heft.plot.log(heft.read_log(tmp_path / "ant.mcap"), "v1").lines) == 1  # and not v10
    with pytest.raises(ValueError, match="names: the log has no column 'w'; it has columns of .*sensors"):
        heft.plot.log(rows, "w")
    with pytest.raises(ValueError, match="axes: expected 2, one for each name, got 1"):
        heft.plot.log(rows, "q", "v", axes=[axes])
