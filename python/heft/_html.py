# SPDX-License-Identifier: Apache-2.0
"""How notebooks show a model or a world: a picture, and below it the page that simulates the model in the browser."""
from __future__ import annotations

import base64
import functools
import html
import http.server
import os
import struct
import tempfile
import threading
import zlib
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from .__main__ import _PAGE, _Handler
from ._model import Model
from ._world import World

_SIZE = (480, 320)
_KEPT = 16  # models that the server holds
_models: OrderedDict[str, bytes] = OrderedDict()
_server: list[http.server.ThreadingHTTPServer] = []
_lock = threading.Lock()


def _png(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG file of (height, width, 3) bytes, in memory."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows.tobytes())),
             (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts)


def _picture(world: World) -> str:
    from ._errors import Error
    from ._picture import render
    try:
        data = base64.b64encode(_png(render(world, *_SIZE))).decode()
    except (ImportError, Error):  # no OpenGL: the text says enough
        return ""
    return f'<img width="{_SIZE[0]}" height="{_SIZE[1]}" alt="{html.escape(repr(world))}" src="data:image/png;base64,{data}">'


class _WithModels(_Handler):
    """The files of the page, and the models of this process as scenes/NAME.xml."""

    def do_GET(self) -> None:
        """Answers a request."""
        name = self.path.partition("?")[0].removeprefix("/scenes/")
        with _lock:
            text = _models.get(name)
        if text is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def _address(model: Model) -> str | None:
    """Address of the page with this model, of a server in this process; None without the page."""
    if not os.path.exists(os.path.join(_PAGE, "index.html")):
        return None
    name = f"model-{model.hash():016x}.xml"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        model._write(path)
        if os.listdir(folder) != [name]:  # meshes in files of their own: the page would not find them
            return None
        with open(path, "rb") as file:
            text = file.read()
    with _lock:
        _models[name] = text
        _models.move_to_end(name)
        while len(_models) > _KEPT:
            _models.popitem(last=False)
        if not _server:
            handler = functools.partial(_WithModels, directory=_PAGE)
            _server.append(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
            threading.Thread(target=_server[0].serve_forever, name="heft page", daemon=True).start()
        return f"http://127.0.0.1:{_server[0].server_port}/?scene={name}"


def of(thing: Model | World) -> str:
    """HTML of a model or a world."""
    text = f"<code>{html.escape(repr(thing))}</code>"
    if isinstance(thing, World) and thing.closed:
        return text
    world = thing if isinstance(thing, World) else World(thing)
    address = _address(world.model)
    live = "" if address is None else (
        f'<details><summary>Simulate the model here</summary><iframe src="{address}" loading="lazy" width="100%" '
        f'height="{3 * _SIZE[1] // 2}" style="border:0"></iframe></details>')
    return f"<div>{_picture(world)}<br>{text}{live}</div>"

