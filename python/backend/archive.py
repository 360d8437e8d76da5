# SPDX-License-Identifier: Apache-2.0
"""Writes wheels (zip) and source distributions (tar) whose bytes depend on their content alone.

Names are sorted, owners and permissions are fixed, and all files carry one time: SOURCE_DATE_EPOCH, or
the first moment that a zip file can state.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import tarfile
import time
import zipfile

_ZIP_BEGIN = 315532800  # 1980-01-01


def build_time() -> int:
    """Seconds since 1970 that all files of an archive carry."""
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", _ZIP_BEGIN)), _ZIP_BEGIN)


def _record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write_wheel(path: str, files: dict[str, bytes], info: str) -> None:
    """Writes a wheel; ``info`` is its folder ``*.dist-info``, which receives the list of all files."""
    record = f"{info}/RECORD"
    lines = [_record_line(name, content) for name, content in sorted(files.items())]
    content_of = {**files, record: "".join([*lines, f"{record},,\n"]).encode()}
    # The files of the dist-info stand last, as the format asks for.
    names = sorted(content_of, key=lambda name: (name.startswith(info), name))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in names:
            entry = zipfile.ZipInfo(name, time.gmtime(build_time())[:6])
            mode = 0o755 if ".so" in name.rsplit("/", 1)[-1] else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix
            archive.writestr(entry, content_of[name])


def write_sdist(path: str, folder: str, files: dict[str, bytes]) -> None:
    """Writes a tar.gz that holds ``files`` in ``folder``."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size = len(content)
            entry.mtime = build_time()
            entry.mode = 0o755 if content.startswith(b"#!") else 0o644
            archive.addfile(entry, io.BytesIO(content))
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=build_time()) as packed:
        packed.write(tar.getvalue())
