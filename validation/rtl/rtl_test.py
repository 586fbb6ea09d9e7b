# SPDX-License-Identifier: Apache-2.0
"""rtl_test.py STEP_VECTORS: the Verilog of rtl/ does what the SystemC unit does, and the check notices when it does not;
patterns that cannot be made are refused. 77 without Verilator."""
import importlib.machinery
import importlib.util
import pathlib
import re
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
loader = importlib.machinery.SourceFileLoader("rtl", str(ROOT / "scripts" / "rtl"))
rtl = importlib.util.module_from_spec(importlib.util.spec_from_loader("rtl", loader))
sys.dont_write_bytecode = True
loader.exec_module(rtl)

TILES = 60


def refused(pattern, words, width=16):
    try:
        rtl.Instruction(pattern, width)
    except rtl.UserError as error:
        assert words in str(error), str(error)
        return
    raise AssertionError(f"{pattern} was accepted")


def instructions_are_those_of_the_simulator():
    assert rtl.Instruction("2:4").k == 32 and rtl.Instruction("2:4").selectors == 2
    assert rtl.Instruction("2:6").k == 48 and rtl.Instruction("3:8").stored == 24
    refused("4:2", "N < M")
    refused("1:64", "M <= 32")
    refused("2:4j", "joint")
    refused("dense", "must be N:M")
    refused("2:4", "elements of 16 bits (f16) and of 8", 12)
    eight = rtl.Instruction("2:4", 8)
    assert (eight.k, eight.stored, eight.selectors, eight.multipliers) == (64, 32, 1, 16)
    assert rtl.Instruction("1:4", 8).registers == 1 and rtl.Instruction("2:8", 8).registers == 2


def says(words, action, *arguments):
    """The action ends in one line that has these words."""
    try:
        action(*arguments)
    except rtl.UserError as error:
        assert words in str(error) and "\n" not in str(error), str(error)
        return
    raise AssertionError(f"{arguments} were accepted")


def bad_files_are_told_apart():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        text, binary, cells = folder / "text", folder / "binary", folder / "cells.lib"
        text.write_text("root:x:0:0\n")
        binary.write_bytes(bytes(range(256)))
        cells.write_text('library ("osu") {}\n')
        for file in (text, binary):
            says("is no library of cells in Liberty format", rtl.library_of, file)
        says("no such library", rtl.library_of, folder)
        assert rtl.library_of(cells) == (cells, "osu")
        for out in (folder, pathlib.Path("/dev/full")):
            says("is no file that can be replaced", rtl.require_writable, out)
        says("no file can be written in", rtl.require_writable, folder / "none" / "table")
        one = rtl.Instruction("2:4")
        says("making vectors (--vectors) ended with 1", rtl.vectors_of, pathlib.Path("/bin/false"), one, 1, 1)
        says("made no vectors", rtl.vectors_of, pathlib.Path("/bin/true"), one, 1, 1)
        says("cannot be run", rtl.vectors_of, text, one, 1, 1)


def table_is_whole():
    """The committed table has every pattern in both widths, and needs grow with N and M."""
    text = (ROOT / "models/tensor_core/selector_area.def").read_text()
    rows = [list(map(int, row.split(", "))) for row in re.findall(r"^STC_SELECTOR_AREA\((.*)\)$", text, re.MULTILINE)]
    for width in rtl.WIDTHS:
        grows({f"{row[1]}:{row[2]}": row[4] + row[7] for row in rows if row[0] == width})


def grows(area):
    assert list(area) == rtl.TABLE, list(area)
    for family in (["1:2", "1:4", "1:8", "1:16"], ["2:4", "2:6", "2:8", "2:16"], ["1:2", "2:4", "4:8", "8:16"],
                   ["1:4", "2:8", "4:16"], ["3:8", "4:16"]):
        sizes = [area[name] for name in family]
        assert sizes == sorted(sizes) and len(set(sizes)) == len(sizes), (family, sizes)
    for family in (["1:4", "2:4"], ["1:8", "2:8", "4:8"], ["1:16", "2:16", "4:16", "8:16"]):
        sizes = [area[name] for name in family]  # a multiplexer has M inputs whatever N is
        assert sizes == sorted(sizes), (family, sizes)


def verilog_does_what_systemc_does(vectors):
    with tempfile.TemporaryDirectory() as scratch:
        for pattern, width in (("2:4", 16), ("2:6", 16), ("2:4", 8), ("2:8", 8)):
            folder = pathlib.Path(scratch) / f"{pattern.replace(':', '_')}_{width}"
            assert rtl.check(rtl.Instruction(pattern, width), vectors, TILES, folder)


def check_can_fail(vectors, part_to_break, whole_text, broken_text, pattern, width):
    """Wrong wiring, in a copy."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        whole, rtl.PARTS_FOLDER = rtl.PARTS_FOLDER, folder / "parts"
        rtl.PARTS_FOLDER.mkdir()
        for part in rtl.PARTS:
            text = (whole / part).read_text()
            assert part != part_to_break or whole_text in text, part
            (rtl.PARTS_FOLDER / part).write_text(text.replace(whole_text, broken_text) if part == part_to_break else text)
        try:
            assert not rtl.check(rtl.Instruction(pattern, width), vectors, 2, folder / "made"), "broken wiring was not noticed"
        finally:
            rtl.PARTS_FOLDER = whole


def main():
    instructions_are_those_of_the_simulator()
    table_is_whole()
    bad_files_are_told_apart()
    if shutil.which("verilator") is None:
        print("Verilator is not installed: the Verilog was not simulated")
        return 77
    vectors = pathlib.Path(sys.argv[1]).resolve()
    verilog_does_what_systemc_does(vectors)
    check_can_fail(vectors, "metadata_unit.v", "t % 4) * 32", "(t + 1) % 4) * 32", "1:2", 16)
    check_can_fail(vectors, "integer_dot_unit.v", "reg signed [19:0] sum", "reg signed [17:0] sum", "1:2", 8)
    return 0


if __name__ == "__main__":
    sys.exit(main())
