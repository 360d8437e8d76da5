# SPDX-License-Identifier: Apache-2.0
"""Cameras, lidars and bundles of rays, in one world or in all worlds of a batch.

All of them are rays of the collision detection: they meet the shapes that can collide. A picture of what is
drawn comes from heft.render() and heft.render_depth(), one world after the other.
"""
from __future__ import annotations

import math as _math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import math
from ._check import numbers, whole
from ._enums import Named
from ._model import Model

Array = NDArray[np.float64]
_SKY = (0.62, 0.72, 0.82)
_AMBIENT = 0.35


class Sight(NamedTuple):
    """What a camera sees; arrays (height, width), of a batch (count, height, width).

    >>> world = heft.World(heft.load(heft.models.path("moved")))
    >>> sight = world.look("overview", 64, 48)
    >>> sight.depth.shape, sight.depth.dtype.name, bool((sight.shape[-1] >= 0).all())
    ((48, 64), 'float32', True)
    """

    depth: NDArray[np.float32]  #: along the axis of the camera [m]; infinite where there is nothing
    shape: NDArray[np.int32]  #: number of the shape, -1 where there is nothing; model.shape_body[...] gives the body
    colour: NDArray[np.uint8] | None  #: red, green, blue in a last axis; None unless it was asked for

    def __repr__(self) -> str:
        return f"<heft.Sight {self.depth.shape}, {float((self.shape >= 0).mean()):.0%} covered>"


class Hits(NamedTuple):
    """Where rays meet surfaces; arrays (rays), of a batch (count, rays).

    >>> world = heft.World(heft.load(heft.models.path("quadruped")))
    >>> hits = world.rays([[0, 0, -1]], [[2, 2, 1]])
    >>> hits.distance.tolist(), hits.normal.tolist()
    ([1.0], [[0.0, 0.0, 1.0]])
    """

    distance: Array  #: to the first surface that the ray enters [m]; infinite if there is none
    shape: NDArray[np.int32]  #: number of the shape, or -1
    normal: Array  #: of the surface, outward, in the world's frame; zeros if there is none

    def __repr__(self) -> str:
        return f"<heft.Hits {self.distance.shape}, {int((self.shape >= 0).sum())} of {self.shape.size} hit>"


class Sees:
    """The methods of World and Batch that cast rays."""

    __slots__ = ()
    model: Model  #: of the world or of all worlds

    def _rays(self, frame: int, index: int, except_body: int, max_distance: float, directions: ArrayLike,
              origins: ArrayLike | None, normals: bool) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
        raise NotImplementedError

    def _rows(self, array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        """Results (worlds, rays, ...) in the form of this object."""
        return array.reshape(shape)

    def rays(self, directions: ArrayLike, origins: ArrayLike | None = None, *, body: str | int = 0,
             site: str | int | None = None, except_body: str | int | None = None,
             max_distance: float = _math.inf) -> Hits:
        """The first surface that each ray meets.

        directions (rays, 3) of any length and origins (rays, 3) [m], None: all zero, are in the frame of a body, by
        default the world, or of a site. except_body: a body that the rays pass; of a site by default its own.
        Shapes that contain the origin of a ray are not met, nor are deformable bodies.

        >>> world = heft.World(heft.load(heft.models.path("quadruped")))
        >>> world.rays([[0, 0, -1], [0, 0, 1]], body="trunk").shape.tolist()
        [0, -1]
        """
        ways, starts = numbers("directions", directions), None if origins is None else numbers("origins", origins)
        if ways.ndim != 2 or ways.shape[1] != 3:
            raise ValueError(f"directions: expected an array of shape (rays, 3), got shape {ways.shape}")
        length = np.sqrt((ways * ways).sum(1))
        if not (length > 0).all():
            raise ValueError(f"directions: row {int((~(length > 0)).argmax())} is zero; expected a vector of any length above 0")
        ways = ways / length[:, None]
        if starts is not None and starts.shape != ways.shape:
            raise ValueError(f"origins: expected an array of shape {ways.shape}, got shape {starts.shape}")
        model = self.model
        if site is None:
            kind, index = Named.BODY, _index(model, Named.BODY, body, "body", model.nbody)
        else:
            kind, index = Named.SITE, _index(model, Named.SITE, site, "site", model.nsite)
        passed = -1 if site is None else int(model.site_body[index]) or -1  # the world is not passed
        if except_body is not None:
            passed = _index(model, Named.BODY, except_body, "except_body", model.nbody)
        distance, shape, normal = self._rays(int(kind), index, passed, _reach(max_distance), ways, starts, True)
        assert normal is not None
        rows = (len(ways),)
        return Hits(self._rows(distance, rows), self._rows(shape, rows), self._rows(normal, (*rows, 3)))

    def look(self, camera: str | int, width: int = 64, height: int = 48, *, colour: bool = False,
             max_distance: float = _math.inf) -> Sight:
        """Depth and segmentation from a camera of the model, one ray through the middle of each pixel.

        colour: True adds the colours of the shapes, lit from above, without textures and shadows.

        >>> world = heft.World(heft.load(heft.models.path("moved")))
        >>> world.look("overview", 32, 24, colour=True).colour.shape
        (24, 32, 3)
        """
        model = self.model
        index = _index(model, Named.CAMERA, camera, "camera", model.ncamera)
        ways = _pixel_rays(float(model.camera_fov[index]), whole("width", width, 1, 4096), whole("height", height, 1, 4096))
        distance, shape, normal = self._rays(int(Named.CAMERA), index, -1, _reach(max_distance), ways, None, colour)
        rows = (height, width)
        depth = self._rows((distance * -ways[:, 2]).astype(np.float32), rows)
        shapes = self._rows(shape, rows)
        if normal is None:
            return Sight(depth, shapes, None)
        return Sight(depth, shapes, self._rows(_shade(model, shape, normal), (*rows, 3)))

    def lidar(self, site: str | int, azimuth: ArrayLike, elevation: ArrayLike = (0.0,), *,
              max_distance: float = _math.inf) -> Array:
        """Ranges of a scanner at a site (elevations, azimuths), of a batch (count, elevations, azimuths) [m];
        infinite where there is nothing.

        azimuth: angles about the z axis of the site, from its x axis; elevation: angles above its xy plane [rad].
        The beams pass the body of the site, unless it is the world.

        >>> model = heft.loads("<mujoco><worldbody><geom type='box' size='1 1 1' pos='4 0 0'/>"
        ...                    "<site name='eye'/></worldbody></mujoco>")
        >>> heft.World(model).lidar("eye", np.linspace(0, np.pi, 3), max_distance=10).tolist()
        [[3.0, inf, inf]]
        """
        turn, rise = _angles("azimuth", azimuth), _angles("elevation", elevation)
        flat = np.stack([turn[:, 1], turn[:, 0], np.zeros(len(turn))], 1)
        ways = rise[:, None, 1:] * flat[None] + rise[:, None, :1] * np.array([0.0, 0.0, 1.0])
        hits = self.rays(ways.reshape(-1, 3), site=site, max_distance=max_distance)
        return self._rows(hits.distance, (len(rise), len(turn)))


def _index(model: Model, kind: Named, which: str | int, name: str, count: int) -> int:
    if isinstance(which, str):
        return model.find(kind, which)
    if isinstance(which, bool) or not isinstance(which, (int, np.integer)):
        raise TypeError(f"{name}: expected a name or a whole number, got {which!r}")
    if not 0 <= which < count:
        raise ValueError(f"{name}: expected a number from 0 to {count - 1}, got {which}" if count else
                         f"{name}: got {which}, but the model has none")
    return int(which)


def _reach(max_distance: float) -> float:
    reach = numbers("max_distance", max_distance, finite=False)
    if reach.ndim or not reach > 0:
        raise ValueError(f"max_distance: expected a number above 0 [m], got {max_distance!r}")
    return float(reach)


def _angles(name: str, given: ArrayLike) -> Array:
    """Sine and cosine of each angle: (n, 2). Those of the library have the same bits on every machine."""
    angles = numbers(name, given)
    if angles.ndim != 1:
        raise ValueError(f"{name}: expected a vector of angles [rad], got shape {angles.shape}")
    return np.array([math.sincos(float(a)) for a in angles]).reshape(-1, 2)


def _pixel_rays(fov: float, width: int, height: int) -> Array:
    """Unit vectors (height * width, 3) through the middle of the pixels, rows from the top."""
    sine, cosine = math.sincos(0.5 * fov)
    slope = sine / cosine
    ways = np.empty((height, width, 3))
    ways[..., 0] = ((2 * np.arange(width) + 1) / width - 1) * slope * (width / height)
    ways[..., 1] = (1 - (2 * np.arange(height)[:, None] + 1) / height) * slope
    ways[..., 2] = -1
    ways /= np.sqrt((ways * ways).sum(-1, keepdims=True))
    return ways.reshape(-1, 3)


def _shade(model: Model, shape: NDArray[Any], normal: Array) -> NDArray[np.uint8]:
    """Colours (..., 3) of shapes, brighter where the surface faces up."""
    colours = np.vstack([model.shape_color[:, :3], _SKY])[shape]  # -1: the last row
    light = np.where(shape < 0, 1.0, 0.5 + _AMBIENT + (0.5 - _AMBIENT) * normal[..., 2])
    pixels: NDArray[np.uint8] = (255 * colours * light[..., None] + 0.5).astype(np.uint8)
    return pixels


__all__ = ["Hits", "Sight"]
