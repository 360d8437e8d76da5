# SPDX-License-Identifier: Apache-2.0
"""The package and the library that it loads have one version."""

import os
import re

import heft


def test_version_is_that_of_the_header() -> None:
    with open(os.path.join(os.environ["HEFT_SOURCE_DIR"], "include/heft/version.h")) as header:
        numbers = re.findall(r"#define HEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header.read())
    assert heft.__version__ == ".".join(numbers)
