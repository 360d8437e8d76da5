# SPDX-License-Identifier: Apache-2.0
"""``python3 -m heft [PORT]``: opens the page with the robots in a browser.

The page simulates by itself, in WebAssembly. This program only hands out its files, to this machine alone, so that it needs no network.
"""

from __future__ import annotations

import functools
import http.server
import os
import sys
import webbrowser

_PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "web")


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Files of the page with the types that browsers ask for, whatever the machine has registered."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


def main(arguments: list[str]) -> int:
    """Serves the page until Ctrl-C. Port 0, the default, is any free one."""
    if len(arguments) > 1 or not all(a.isdigit() and int(a) < 65536 for a in arguments):
        print("usage: python3 -m heft [PORT]", file=sys.stderr)
        return 2
    if not os.path.exists(os.path.join(_PAGE, "index.html")):
        print("heft: this package was built without the page; docs/manual/browser.md tells how to build it", file=sys.stderr)
        return 1
    port = int(arguments[0]) if arguments else 0
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(_Handler, directory=_PAGE)) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        print(f"Heft is at {address}\nCtrl-C ends it.", flush=True)
        webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
