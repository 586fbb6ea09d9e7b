#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages in headless Chromium at 1400 and 500 pixels, light and dark: nothing clipped, no text over text, no empty
chart, text that can be seen, a clean console.

  check_pages.py FILE.html...       these pages; exit code 1 where something is wrong
  --pictures DIR                    and a picture of each

Exit code 77: there is no chromium."""
import argparse
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
WIDTHS = (1400, 500)
SCHEMES = {"light": 1, "dark": 0}  # Chromium's numbers
WATCH = "<script>window.defects=[];window.onerror=(m)=>{defects.push('console: '+m)};" \
        "console.error=console.warn=(...m)=>{defects.push('console: '+m.join(' '))};</script>"


def browser():
    return next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)


def chromium(scheme, page, *arguments):
    """Standard output and error of one visit."""
    with tempfile.TemporaryDirectory() as profile:
        command = [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--no-first-run", "--disable-extensions", "--disable-background-networking", f"--user-data-dir={profile}",
                   "--enable-logging=stderr", f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
                   "--virtual-time-budget=20000", *arguments, page.as_uri()]
        return subprocess.run(command, text=True, capture_output=True, timeout=300)


def frames(pages):
    """One page that shows all in frames of the given widths and keeps what look.js finds."""
    look = (HERE / "look.js").read_text()
    shown = "".join(
        f'<iframe data-name="{html.escape(str(page))}" data-width="{width}" style="width:{width}px;height:900px;border:0" '
        f'srcdoc="{html.escape(WATCH + page.read_text())}"></iframe>\n' for page in pages for width in WIDTHS)
    return f"""<!DOCTYPE html><html><head><meta name="color-scheme" content="light dark"></head><body>{shown}<pre id="defects"></pre><script>
addEventListener("load", () => {{
  const out = [];
  for (const frame of document.querySelectorAll("iframe")) {{
    const inside = frame.contentWindow;
    inside.eval({json.dumps(look).replace("</", "<" + chr(92) + "/")});
    const dark = inside.matchMedia("(prefers-color-scheme: dark)").matches;
    out.push({{page: frame.dataset.name, width: frame.contentDocument.documentElement.clientWidth, dark,
              defects: inside.defects.concat(inside.lookForDefects())}});
  }}
  document.getElementById("defects").textContent = JSON.stringify(out);
}});
</script></body></html>"""


def look_at(pages):
    """What is wrong: (page, width, scheme, sentence)."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "frames.html"
        file.write_text(frames(pages))
        for scheme in SCHEMES:
            done = chromium(scheme, file, "--window-size=1600,1000", "--dump-dom")
            found = re.search(r'<pre id="defects">(.+?)</pre>', done.stdout, re.S)
            if found is None:
                sys.exit(f"pages: Chromium did not say what it sees\n{done.stderr[-3000:]}")
            visits = json.loads(html.unescape(found.group(1)))
            # What is not shown as asked proves nothing.
            assert [visit["width"] for visit in visits] == [width for _ in pages for width in WIDTHS], visits
            assert all(visit["dark"] == (scheme == "dark") for visit in visits), f"not shown {scheme}"
            wrong += [(visit["page"], visit["width"], scheme, defect) for visit in visits for defect in visit["defects"]]
            wrong += [("console", 0, scheme, line) for line in done.stderr.splitlines() if "CONSOLE" in line]
    return wrong


def take_pictures(pages, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(pages):
        for width in WIDTHS:
            for scheme in SCHEMES:
                picture = folder / f"{number}_{page.stem}_{width}_{scheme}.png"
                chromium(scheme, page.resolve(), f"--window-size={width},2400", f"--screenshot={picture}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    if browser() is None:
        print("pages: skipped: there is no chromium (scripts/setup --browser)")
        sys.exit(77)
    wrong = look_at(options.pages)
    for page, width, scheme, defect in wrong:
        print(f"{page}, {width} px, {scheme}: {defect}")
    if options.pictures:
        take_pictures(options.pages, options.pictures)
    print(f"pages: {len(options.pages)} looked at, {len(wrong)} defects")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
