# SPDX-License-Identifier: Apache-2.0
"""help() of every public class, function and method shows its signature and an example, in the words of Python; reprs are
short."""
import doctest
import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import heft
import heft.gym
import heft.plot

MODULES = (heft, heft.math, heft.models, heft.gym, heft.plot)
SCENE = "scenes/quadruped.xml"


def public() -> Iterator[tuple[str, Any]]:
    """Public callables of the package. What a class inherits from Python, NumPy or Gymnasium is theirs."""
    seen: set[int] = set()
    for module in MODULES:
        for name in getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]:
            thing = getattr(module, name)
            if not callable(thing) or id(thing) in seen or not str(thing.__module__).startswith("heft"):
                continue
            seen.add(id(thing))
            yield name if module is heft else f"{module.__name__[5:]}.{name}", thing
            for key in dir(thing) if inspect.isclass(thing) else ():
                for kind in [k for k in thing.__mro__ if key in vars(k)][:1]:
                    method = getattr(vars(kind)[key], "__func__", vars(kind)[key])
                    if key.startswith("_") or not callable(method) or inspect.isclass(method) or isinstance(method, int):
                        continue
                    if not kind.__module__.startswith("heft"):
                        continue
                    if id(method) not in seen:
                        seen.add(id(method))
                        yield f"{name}.{key}", method


def test_every_name_has_a_signature() -> None:
    without = []
    for name, thing in public():
        try:
            inspect.signature(thing)
        except ValueError:
            without.append(name)
    assert not without


def test_every_name_has_an_example_that_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The package's doctests run again in python/doctests; here are those of functions of C, too."""
    without, failed, count = [], [], 0
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False)
    for name, thing in public():
        test = doctest.DocTestParser().get_doctest(inspect.getdoc(thing) or "", {"heft": heft, "np": np}, name, None, None)
        if not test.examples:
            without.append(name)
        count += len(test.examples)
        if runner.run(test).failed:
            failed.append(name)
    with capsys.disabled():
        print(f"\n{count} examples")
    assert not without
    assert not failed


def test_no_docstring_has_words_of_c() -> None:
    assert not [name for name, thing in public() if "NULL" in (inspect.getdoc(thing) or "")]


def test_reprs_are_short() -> None:
    model = heft.load(SCENE)
    world = heft.World(model)
    batch = heft.Batch(model, 2)
    rollout = batch.rollout(steps=50)
    for thing in (model, world, batch, rollout, world.body(1), world.step(), heft.Material()):
        assert len(repr(thing)) < 600, repr(thing)
