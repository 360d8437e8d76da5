# SPDX-License-Identifier: Apache-2.0
"""Copies the libraries of Heft that the modules in a folder need beside the package.

usage: own_libraries.py <folder of the package> <folder of the libraries>
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "backend"))
import bundle  # noqa: E402

bundle.copy_own(sys.argv[1], os.path.abspath(sys.argv[2]))
