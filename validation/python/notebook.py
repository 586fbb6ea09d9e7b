#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes docs/notebook.ipynb. The file has the outputs of the last execution; a test compares what is stable of them.

  notebook.py           executes it and fails where a cell fails
  notebook.py --write   and keeps the outputs"""
import pathlib
import sys

import nbformat
from nbclient import NotebookClient

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "docs/notebook.ipynb"


def executed():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    return notebook


def without_times(notebook):
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}}
    return notebook


def texts(notebook):
    """What each cell prints."""
    return ["".join(output.get("text", output.get("data", {}).get("text/plain", "")) for output in cell.get("outputs", []))
            for cell in notebook.cells if cell.cell_type == "code"]


if __name__ == "__main__":
    done = executed()
    if "--write" in sys.argv:
        nbformat.write(without_times(done), NOTEBOOK)
    print("\n".join(texts(done)))
