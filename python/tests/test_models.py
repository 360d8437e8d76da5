# SPDX-License-Identifier: Apache-2.0
"""Models of the package are found by name."""

import os

import pytest

import heft.models


def test_every_name_leads_to_a_file() -> None:
    names = heft.models.names()
    assert "humanoid" in names and "avatar" in names
    for name in names:
        assert os.path.isfile(heft.models.path(name))


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    with pytest.raises(KeyError, match='"quadrupet".*did you mean "quadruped"'):
        heft.models.path("quadrupet")
