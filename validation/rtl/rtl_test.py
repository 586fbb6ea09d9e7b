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


def refused(pattern, words):
    try:
        rtl.Instruction(pattern)
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


def table_is_whole():
    """The committed table has every pattern, and needs grow with N and M."""
    text = (ROOT / "models/tensor_core/selector_area.def").read_text()
    rows = [list(map(int, row.split(", "))) for row in re.findall(r"^STC_SELECTOR_AREA\((.*)\)$", text, re.MULTILINE)]
    area = {f"{row[0]}:{row[1]}": row[3] + row[6] for row in rows}
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
        for pattern in ("2:4", "2:6"):
            assert rtl.check(rtl.Instruction(pattern), vectors, TILES, pathlib.Path(scratch) / pattern.replace(":", "_"))


def check_can_fail(vectors):
    """A bit of the alignment too few, in a copy."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        whole, rtl.PARTS_FOLDER = rtl.PARTS_FOLDER, folder / "parts"
        rtl.PARTS_FOLDER.mkdir()
        for part in rtl.PARTS:
            text = (whole / part).read_text()
            broken = text.replace("t % 4) * 32", "(t + 1) % 4) * 32") if part == "metadata_unit.v" else text
            (rtl.PARTS_FOLDER / part).write_text(broken)
        try:
            assert not rtl.check(rtl.Instruction("1:2"), vectors, 2, folder / "made"), "broken wiring was not noticed"
        finally:
            rtl.PARTS_FOLDER = whole


def main():
    instructions_are_those_of_the_simulator()
    table_is_whole()
    if shutil.which("verilator") is None:
        print("Verilator is not installed: the Verilog was not simulated")
        return 77
    vectors = pathlib.Path(sys.argv[1]).resolve()
    verilog_does_what_systemc_does(vectors)
    check_can_fail(vectors)
    return 0


if __name__ == "__main__":
    sys.exit(main())
