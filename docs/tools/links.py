#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every relative link of every Markdown file in the tree leads to a file or folder; what docs/generated/ will hold is
what docs/tools/pages.py makes."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pages import GENERATED  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)[^)]*\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)


def markdown_files():
    """Those of git, or where there is none, all outside of build folders."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, text=True,
                            capture_output=True)
    if listed.returncode == 0:
        return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
    return [file for file in ROOT.glob("**/*.md") if not file.relative_to(ROOT).parts[0].startswith("build")]


def broken_links(file):
    text = CODE.sub("", file.read_text())
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:|#", target):
            continue
        path = (file.parent / target.split("#")[0]).resolve()
        if path.parent == ROOT / "docs/generated":
            if path.name not in GENERATED:
                yield f"{target}: docs/tools/pages.py makes no such file"
        elif not path.exists():
            yield target


def main():
    files = markdown_files()
    errors = [f"{file.relative_to(ROOT)}: {link}" for file in files for link in broken_links(file)]
    print("\n".join(errors + [f"{len(files)} files, {len(errors)} broken links"]))
    sys.exit(1 if errors or not files else 0)


if __name__ == "__main__":
    main()
