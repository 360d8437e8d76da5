# SPDX-License-Identifier: Apache-2.0
"""A leak that the sanitizer must find: builders of models that are created and never freed."""

import ctypes

import heft


class Allocator(ctypes.Structure):
    _fields_ = [("allocate", ctypes.c_void_p), ("release", ctypes.c_void_p), ("user", ctypes.c_void_p)]


def test_leak() -> None:
    library = ctypes.CDLL(heft._core.__file__)  # finds the functions of the libraries below it
    library.heft_allocator_default.restype = Allocator
    allocator = library.heft_allocator_default()
    for _ in range(3):
        builder = ctypes.c_void_p()
        assert library.heft_builder_create(ctypes.byref(builder), ctypes.byref(allocator), None) == 0
