#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line as people use it: completion in shells, the man page, names of operations and keys.

  command_line_test.py PROGRAM"""
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ""


def stcsim(*arguments, code=0):
    done = subprocess.run([PROGRAM, *arguments], cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stderr}"
    return done.stdout if code == 0 else done.stderr


def commands():
    """Names of all commands, and the options of each, as help has them."""
    names = re.findall(r"^  (\w+) {2,}", stcsim("--help").split("Subcommands:")[1], re.M)
    return {name: re.findall(r"^  (?:-\w,)?(--[\w-]+)", stcsim(name, "--help"), re.M) for name in names}


def shell(name):
    return unittest.skipUnless(shutil.which(name), f"there is no {name}")


class Completion(unittest.TestCase):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = stcsim("completion", "bash")
        line = " ".join(f"'{word}'" for word in ("stcsim", *words))
        ask = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; _stcsim; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        return subprocess.run(["bash", "-c", ask], cwd=ROOT, text=True, capture_output=True, check=True).stdout.split()

    def test_bash_offers_what_fits(self):
        self.assertEqual(self.complete("insp"), ["inspect"])
        self.assertEqual(self.complete("run", "--js"), ["--json"])
        self.assertEqual(self.complete("completion", ""), ["--help", "-h", "bash", "zsh", "fish"])
        self.assertEqual(self.complete("run", "--json", "README"), ["README.md"])
        self.assertEqual(self.complete("gpu", "configs/gpus/h2"), ["configs/gpus/h200.yaml"])
        self.assertEqual(self.complete("gpu", "--set", "READ"), [])

    def test_all_commands_and_options_are_in_every_script(self):
        known = commands()
        self.assertGreater(len(known), 12)
        for shell_name in ("bash", "zsh", "fish"):
            script = stcsim("completion", shell_name)
            for command, options in known.items():
                self.assertIn(command, script)
                for option in options:
                    self.assertIn(f"-l {option[2:]} " if shell_name == "fish" else option, script)

    @shell("zsh")
    def test_zsh_reads_it(self):
        subprocess.run(["zsh", "-n"], input=stcsim("completion", "zsh"), text=True, check=True)

    @shell("fish")
    def test_fish_offers_what_fits(self):
        ask = stcsim("completion", "fish") + "complete -C 'stcsim run --js'\ncomplete -C 'stcsim completion z'\n"
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(["fish", "--no-config", "-c", ask], env={"HOME": home, "PATH": "/usr/bin:/bin"}, text=True,
                                  capture_output=True)
        self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()], ["--json", "zsh"], done.stderr)

    def test_an_unknown_shell_is_an_error(self):
        self.assertIn("unknown word 'tcsh'", stcsim("completion", "tcsh", code=2))


class ManPage(unittest.TestCase):
    @shell("groff")
    def test_it_has_every_command_and_option(self):
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-c"], input=stcsim("man"), text=True, capture_output=True,
                              check=True)
        self.assertEqual([line for line in done.stderr.splitlines() if "cannot adjust" not in line and "break" not in line], [])
        text = re.sub(".\b", "", done.stdout)
        for command, options in commands().items():
            for word in (command, *options):
                self.assertIn(word, text)
        self.assertIn("Exit codes: 0 done", text)


class Names(unittest.TestCase):
    def test_mma_takes_the_full_spelling(self):
        show = lambda op: stcsim("mma", "--gpu", "configs/gpus/a100.yaml", "--op", op, "--json", "-")
        short = show("mma.sp.m16n8k32.f32.f16.f16.f32")
        for full in ("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
                     "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"):
            self.assertEqual(show(full), short)
        self.assertEqual(show("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32"),
                         show("mma.m16n8k32.satfinite.s32.s8.s8.s32"))
        refused = lambda op: stcsim("mma", "--gpu", "configs/gpus/a100.yaml", "--op", op, code=2)
        self.assertIn('layouts are ".row.col"', refused("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32"))
        self.assertIn('followed by ".aligned"', refused("mma.sync.m16n8k16.row.col.f32.f16.f16.f32"))

    def test_unknown_keys_get_the_nearest_one(self):
        run = lambda key: stcsim("run", "configs/workloads/gemm_512_integers.yaml", "--set", f"{key}=3", code=2)
        for key, meant in {"gpu.smz": "sms", "gpu.queue_entries": "sm.lsu.queue_entries", "options.valuess": "values",
                           "gpu.sm.tensor_core.multipliers_unit": "sm.tensor_core.multipliers_per_unit"}.items():
            self.assertIn(f"did you mean '{meant}'?", run(key))
        for key in ("gpu.zz", "gpu.smz", "gpu.sm.what"):
            self.assertLess(len(run(key)), 400)
        self.assertIn("are allowed, nearest: ", run("gpu.zz"))

    def test_gpu_json_is_what_gpu_prints(self):
        found = json.loads(stcsim("gpu", "configs/gpus/a100.yaml", "--set", "sms=54", "--json", "-"))
        text = " ".join(stcsim("gpu", "configs/gpus/a100.yaml", "--set", "sms=54").split())
        self.assertEqual(found["schema"], "stcsim.gpu/1")
        self.assertGreater(len(found["parameters"]), 200)
        for row in found["parameters"]:
            self.assertIn(row["key"].split(".")[-1], text)
            self.assertIn(" ".join(row["meaning"].split()), text)
        rows = {row["key"]: row for row in found["parameters"]}
        self.assertEqual((rows["sms"]["value"], rows["sms"]["unit"], rows["sms"]["evidence"]), (54, "SMs", "command line"))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "gpu.json"
            stcsim("gpu", "configs/gpus/a100.yaml", "--json", str(file))
            self.assertEqual(json.loads(file.read_text())["hash"], json.loads(
                stcsim("gpu", "configs/gpus/a100.yaml", "--json", "-"))["hash"])
        self.assertIn("gpu.json", stcsim("gpu", "configs/gpus/a100.yaml", "--json", "/proc/nowhere/gpu.json", code=2))


def on_terminal(columns, *arguments, errors=False):
    """What a command prints on a terminal of so many columns: its output, or its errors."""
    screen, output = pty.openpty()
    fcntl.ioctl(output, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL,
                               **{"stderr" if errors else "stdout": output, "stdout" if errors else "stderr": subprocess.DEVNULL})
    os.close(output)
    text = b""
    while True:
        try:
            part = os.read(screen, 65536)
        except OSError:  # how Linux says that nobody writes any more
            break
        if not part:
            break
        text += part
    assert process.wait() == 0, arguments
    os.close(screen)
    return text.decode().replace("\r\n", "\n")


class Terminal(unittest.TestCase):
    """Tables on a terminal of 80 columns: nothing is wider, nothing is lost."""

    def fits(self, *arguments, changes=()):
        text = on_terminal(80, *arguments)
        wide = [line for line in text.splitlines() if len(line) > 80 and " " in line.strip()]
        self.assertEqual(wide, [])
        words = lambda lines: [word for line in lines.splitlines() if not any(c in line for c in changes) for word in line.split()]
        if not changes:
            self.assertEqual(sorted(words(text)), sorted(words(stcsim(*arguments))))
        return text

    def test_run(self):
        text = self.fits("run", "configs/workloads/gemm_512_integers.yaml", "--set", "workload.gemm.k=64",
                         "--set", "options.compare_dense=true", changes=["simulated in"])
        self.assertRegex(text, r"register file rd +[\d.]+ MiB +[\d.]+ KiB")

    def test_gpu(self):
        self.fits("gpu", "configs/gpus/a100.yaml")

    def test_mma(self):
        self.fits("mma", "--gpu", "configs/gpus/h200.yaml", "--list")
        self.fits("mma", "--op", "mma.sp.m16n8k64.s32.s8.s8.s32", "--lane-map")
        self.fits("mma", "--gpu", "configs/gpus/a100.yaml", "--op", "mma.sp.m16n8k32.f32.f16.f16.f32", "--row", "3")

    def test_formats(self):
        text = self.fits("formats", "--rows", "64", "--columns", "64")
        for table in text.split("\n\n")[1:]:
            rows = [line for line in table.splitlines() if re.match(r"\d+:\d+ ", line)]
            self.assertLessEqual(len({len(line) for line in rows}), 1, "columns stand below each other")

    def test_studies(self):
        with tempfile.TemporaryDirectory() as folder:
            self.fits("compare", "validation/measured/h200/intervals.csv", "--filter", "group=barrier,warps=1", "--out", f"{folder}/c",
                      changes=["launches simulated"])
            self.fits("explore", "configs/sweeps/feed.yaml", "--set", "shapes.deep.k=384", "--set", "grid.pattern=[2:4]",
                      "--out", f"{folder}/e", changes=["points"])
        self.fits("train", "configs/training/small.yaml", "--set", "workload.train_linear.tokens=[256]", changes=["s"])
        self.fits("network", "configs/networks/small.yaml", "--set", "batch=1", changes=["s"])

    def test_inspect(self):
        cubin = "traces/kernels/sm_80/f16_sp24_128x128x64_w64x32_s3.cubin"
        self.fits("inspect", cubin, "--listing")
        text = on_terminal(80, "inspect", cubin, "--listing")
        self.assertIn(f"\n    /*0000*/  B------:R-:W-:-:S02  MOV R1, c[0x0][0x28]\n{33 * ' '}/* 0x00000a0000017a02 ", text)
        self.assertEqual(on_terminal(160, "inspect", cubin, "--listing"), stcsim("inspect", cubin, "--listing"))

    @unittest.skipUnless("EXEC_PROGRAM" in os.environ, "EXEC_PROGRAM names the program of exec's tests")
    def test_exec(self):
        command = ["exec", "--set", "sms=2", "--", os.environ["EXEC_PROGRAM"], "registered"]
        narrow, wide = on_terminal(80, *command, errors=True), on_terminal(400, *command, errors=True)
        self.assertEqual([line for line in narrow.splitlines() if len(line) > 80 and os.environ["EXEC_PROGRAM"] not in line], [])
        words = lambda text: sorted(word for line in text.splitlines() if "of simulation" not in line for word in line.split())
        self.assertGreater(max(map(len, wide.splitlines())), 80)
        head, *rows = [line for line in narrow.splitlines() if "write_at" in line or "bound by" in line]
        self.assertEqual({row.index("launch") for row in rows}, {head.index("bound by")}, "columns stand below each other")
        self.assertEqual(words(narrow.split("  total:")[0]), words(wide.split("  total:")[0]))

    def test_elsewhere_lines_stay(self):
        self.assertGreater(max(map(len, stcsim("formats", "--rows", "64", "--columns", "64").splitlines())), 80)
        wide = on_terminal(400, "formats", "--rows", "64", "--columns", "64")
        self.assertEqual(wide, stcsim("formats", "--rows", "64", "--columns", "64"))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
