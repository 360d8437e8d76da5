# SPDX-License-Identifier: Apache-2.0
"""Pictures of a world as arrays, and a window that shows a world."""
from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._check import instance, whole
from ._enums import Named
from ._world import World

if TYPE_CHECKING:
    from . import _view

_local = threading.local()  # OpenGL's context belongs to a thread


def _module() -> Any:
    try:
        from . import _view
    except ModuleNotFoundError as error:
        raise ImportError("this build of heft has no pictures: build it with libepoxy, EGL, libpng, SDL2 and Dear "
                          "ImGui, see docs/manual/python.md") from error
    except ImportError as error:  # a wheel takes these from the system
        raise ImportError(f"pictures need SDL2 and EGL of the system (Debian: apt install libsdl2-2.0-0 libegl1): "
                          f"{error}") from error
    return _view


def _bits(show: Iterable[str]) -> int:
    names = _module().marks()
    bits = 0
    for name in [show] if isinstance(show, str) else show:
        if name not in names:
            raise ValueError(f"show: there is no mark {name!r}; these exist: {', '.join(names)}")
        bits |= 1 << names.index(name)
    return bits


def _renderer(world: World, folder: str | None) -> _view.Renderer:
    instance("world", world, World)
    model = world.model
    last = getattr(_local, "last", None)
    if last is None or last[0] is not model or last[1] != folder:
        last = _local.last = None  # releases the context before another is made
        last = (model, folder, _module().Renderer(model._capsule(), model, folder, 4))
        _local.last = last
    renderer: _view.Renderer = last[2]
    return renderer


def _camera(world: World, camera: str | int | Sequence[float | None] | None) -> Any:
    if isinstance(camera, str):
        return world.model.find(Named.CAMERA, camera)
    if camera is None or isinstance(camera, int):
        return camera
    angles = list(camera) + [None] * (6 - len(camera))
    if len(angles) != 6:
        raise ValueError("camera: expected a name, a number, or (azimuth, elevation, distance, x, y, z)")
    return [math.radians(a) if a is not None and i < 2 else a for i, a in enumerate(angles)]


def render(world: World, width: int = 640, height: int = 480, *,
           camera: str | int | Sequence[float | None] | None = None, show: Iterable[str] = (),
           dark: bool = False, folder: str | os.PathLike[str] | None = None,
           path: str | os.PathLike[str] | None = None) -> NDArray[np.uint8]:
    """Draws a world without a window. Returns an array (height, width, 3) of bytes.

    camera: name or number of a camera of the model, or azimuth, elevation [deg], distance and target [m]; None
    for one of them, and for the whole camera: as the viewer chooses. show: marks such as "contacts", "forces",
    "cones". folder: of textures. path: also writes a PNG file.

    >>> world = heft.World(heft.load("examples/gripper.xml"))
    >>> heft.render(world, 320, 240).shape  # doctest: +SKIP
    (240, 320, 3)
    """
    pixels = np.empty((whole("height", height, 16, 16384), whole("width", width, 16, 16384), 3), np.uint8)
    renderer = _renderer(world, None if folder is None else os.fspath(folder))
    renderer.draw(world._capsule(), pixels, width, height, _camera(world, camera), _bits(show), dark, False)
    if path is not None:
        _module().write_png(os.fspath(path), pixels, width, height)
    return pixels


def render_depth(world: World, width: int = 640, height: int = 480, *,
                 camera: str | int | Sequence[float | None] | None = None,
                 show: Iterable[str] = ()) -> NDArray[np.float32]:
    """Depths of the picture that render() draws, along the axis of the camera: (height, width) [m], infinite
    where nothing is drawn. World.look() gives them without OpenGL, of the shapes that collide.

    >>> world = heft.World(heft.load("examples/gripper.xml"))
    >>> heft.render_depth(world, 320, 240).shape  # doctest: +SKIP
    (240, 320)
    """
    depths = np.empty((whole("height", height, 16, 16384), whole("width", width, 16, 16384)), np.float32)
    _renderer(world, None).draw(world._capsule(), depths, width, height, _camera(world, camera), _bits(show), False,
                                True)
    return depths


class Viewer:
    """A window that shows a world which the program steps; the user may pull bodies, pause and change the speed.

    ::

        with heft.view(world) as viewer:
            while viewer.wait():          # real time; False once the window is closed
                world.step()
                viewer.sync()
    """

    def __init__(self, world: World, title: str | None = None, width: int = 0, height: int = 0,
                 show: Iterable[str] = ()) -> None:
        instance("world", world, World)
        self.world = world
        self._viewer: _view.Viewer = _module().Viewer(world.model._capsule(), title, width, height, _bits(show))

    def sync(self) -> bool:
        """Shows the present state, and applies what the user pulls to the next step. False: closed."""
        return self._viewer.sync(self.world._capsule())

    def wait(self) -> bool:
        """Waits until the next step is due in real time. False: closed."""
        return self._viewer.wait()

    def run(self, seconds: float = math.inf) -> None:
        """Steps the world in real time until the window is closed, or until simulated time has passed."""
        end = self.world.time + seconds
        while self.world.time < end and self.sync() and self.wait():
            self.world.step()

    def close(self) -> None:
        """Closes the window."""
        self._viewer.close()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()


def view(world: World, **options: Any) -> Viewer:
    """Opens a window that shows a world: see Viewer. Needs a screen.

    >>> world = heft.World(heft.load("examples/gripper.xml"))
    >>> viewer = heft.view(world)  # doctest: +SKIP
    """
    return Viewer(world, **options)


__all__ = ["Viewer", "render", "render_depth", "view"]
