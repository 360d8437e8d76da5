# SPDX-License-Identifier: Apache-2.0
"""Films of a world: each picture goes to ffmpeg, which must be installed."""

import subprocess

import heft


class Film:
    """`film = Film("run.mp4", 25)`, then film.add(world) for each picture, then film.close()."""

    def __init__(self, path, rate, width=640, height=360):
        self.size = width, height
        command = ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]
        command += ["-s", f"{width}x{height}", "-r", str(rate), "-i", "-"]
        command += ["-pix_fmt", "yuv420p", "-crf", "30", str(path)]
        self.ffmpeg = subprocess.Popen(command, stdin=subprocess.PIPE)

    def add(self, world, camera=None, show=()):
        """Draws the world; camera: azimuth, elevation [deg], distance and target [m]."""
        picture = heft.render(world, *self.size, camera=camera, show=show)
        self.ffmpeg.stdin.write(picture.tobytes())

    def close(self):
        self.ffmpeg.stdin.close()
        self.ffmpeg.wait()
