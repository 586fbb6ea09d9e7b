#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A timeline in Perfetto's own UI and trace_processor: what docs/profile.md says of it, and what the result counts.

  timeline_test.py PROGRAM totals     every SM of one launch, sums
  timeline_test.py PROGRAM groups     two launches, what the UI shows"""
import json
import pathlib
import subprocess
import sys
import tempfile

import perfetto

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = ["run", "configs/workloads/gemm_512_integers.yaml", "--set", "workload.gemm.k=128", "--set", "options.values=addresses",
       "--set", "options.check=false"]
ERRORS = "select name, value from stats where severity <> 'info' and value <> 0"
OF_GROUP = "from slice s join thread_track t on s.track_id = t.id join thread using (utid) join process using (upid) where process.name"
COUNTERS = ("select process.name, t.name, sum(c.value), max(c.value), count() from counter c join process_counter_track t on "
            "c.track_id = t.id join process using (upid) group by 1, 2")
RESOURCES = ["tensor", "issue", "shared", "l1", "l2_read", "l2_write", "dram"]


def recorded(program, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        timeline, result = pathlib.Path(folder) / "t.json", pathlib.Path(folder) / "r.json"
        subprocess.run([program, *RUN, "--timeline", timeline, "--json", result, *arguments], cwd=ROOT, check=True,
                       stdout=subprocess.DEVNULL)
        yield timeline
        yield json.loads(result.read_text())


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got}, not {wanted}")


def look(program, queries, *arguments):
    made = recorded(program, *arguments)
    found = perfetto.look(next(made), [ERRORS, *queries], ["use of", "launches"])
    result = next(made)
    expect("errors of the import", found["answers"].pop(0), [])
    expect("messages of the UI", found["dialog"], "")
    return found, result


def totals(program):
    """Every stall, issue, CTA and count of the launch is in Perfetto's tables, none twice."""
    queries = [f"select s.name, sum(s.dur), count() {OF_GROUP} like 'warps of SM %' group by 1",
               f"select count(), min(s.ts), max(s.ts + s.dur) {OF_GROUP} = 'CTAs'",
               f"select s.name, s.ts, s.dur {OF_GROUP} = 'launches'",
               "select count() from slice where extract_arg(arg_set_id, 'args.at') glob '0x*'", COUNTERS]
    found, result = look(program, queries, "--timeline-sms", "0-107")
    warps, ctas, launches, ((addresses,),), counters = found["answers"]
    slices = {name: cycles for name, cycles, _ in warps if not name.startswith("CTA ")}
    counts = {name: number for name, _, number in warps if not name.startswith("CTA ")}
    for reason, cycles in result["stalls"].items():
        if reason != "issued":
            expect(reason, slices.pop(reason, 0), cycles)
    expect("cycles of what was issued", sum(slices.values()), result["stalls"]["issued"])
    expect("issues", sum(counts[name] for name in slices), result["instructions"]["warp"])
    expect("mnemonics among them", "HMMA.SP.16832.F32" in slices and "EXIT" in slices, True)
    expect("addresses", addresses, sum(counts.values()))
    expect("CTAs", ctas[0][0], result["kernel"]["ctas"])
    expect("launches", launches, [[result["kernel"]["name"], 0, result["cycles_elapsed"]]])
    units = {name: total for group, name, total, _, _ in counters if group == "use of the whole GPU, in units"}
    expect("instructions in the counter", units["issue (warp instructions)"], result["instructions"]["warp"])
    shares = {name: most for group, name, _, most, _ in counters if group == "use of the whole GPU"}
    expect("shares", sorted(shares), sorted(f"{name} %" for name in RESOURCES))
    expect("a share of tensor cores and issue slots", all(0 < shares[name] <= 100 for name in ("tensor %", "issue %")), True)
    expect("buckets", max(number for *_, number in counters) <= 2049, True)


def groups(program):
    """The UI shows every group, opened ones with their tracks, each launch behind the one before it."""
    queries = [f"select s.name, s.ts, s.dur {OF_GROUP} = 'launches' order by s.ts",
               f"select min(s.ts), max(s.ts + s.dur) {OF_GROUP} like 'warps of SM %'"]
    found, result = look(program, queries, "--set", "options.compare_dense=true", "--timeline-sms", "0,4-5", "--timeline-window",
                         "1000-1999")
    first, second = found["answers"][0]
    expect("the second launch", second[1], first[2])
    expect("the window", found["answers"][1][0][0] >= 1000 and found["answers"][1][0][1] <= first[2] + 2000, True)
    expect("groups", sorted(group["name"].rsplit(" ", 1)[0] for group in found["tracks"]),
           sorted(["launches", "use of the whole GPU", "use of the whole GPU, in units", "CTAs", "warps of SM 0", "warps of SM 4",
                   "warps of SM 5"]))
    for group in found["tracks"]:
        numbers = [int(track["name"].rsplit(" ", 1)[1]) for track in group["tracks"] if not group["name"].startswith("use")]
        expect(f"order of {group['name']}", numbers, sorted(numbers))
    expect("groups from top to bottom in chrome://tracing", found["chrome"]["groups"],
           ["launches", "use of the whole GPU", "use of the whole GPU, in units", "CTAs", "warps of SM 0", "warps of SM 4",
            "warps of SM 5"])
    expect("its warnings", found["chrome"]["warnings"], [])
    shown = [title for title in found["shown"] if title.endswith(" %")]
    expect("shares that are seen", sorted(shown), sorted(f"{name} %" for name in RESOURCES))
    print(f"open after {found['seconds']:.1f} s")


if __name__ == "__main__":
    {"totals": totals, "groups": groups}[sys.argv[2]](sys.argv[1])
    print("Perfetto shows what was counted")
