# SPDX-License-Identifier: Apache-2.0
"""A notebook as a Markdown page: its cells, and what they printed when it was last executed (scripts/python notebook)."""
import json


def markdown_of(file):
    parts = []
    for cell in json.loads(file.read_text())["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        printed = "".join("".join(output.get("text", output.get("data", {}).get("text/plain", "")))
                          for output in cell["outputs"])
        if printed:
            parts.append(f"```text\n{printed.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"
