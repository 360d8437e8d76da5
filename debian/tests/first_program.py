# SPDX-License-Identifier: Apache-2.0
"""Runs the first program of the manual with the installed package."""

import re

with open("docs/manual/python.md") as page:
    program = re.search(r"^```python\n(.*?)^```", page.read(), re.MULTILINE | re.DOTALL)
assert program
exec(compile(program[1], "docs/manual/python.md", "exec"))
