#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A timeline in Perfetto's own reader, trace_processor: its tables hold what the result of the run counts.

  perfetto_test.py STCSIM      exit status 77 without the Python package perfetto, or where its trace_processor, which it
                               fetches when it is first used, cannot be had (PERFETTO_BINARY names one that is here)
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig
except ImportError:
    print("skipped: the Python package perfetto is missing")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[3]
RUN = ["run", "configs/workloads/gemm_512_integers.yaml", "--set", "workload.gemm.k=128", "--set", "options={values: addresses}"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        timeline, result = f"{folder}/t.json", f"{folder}/r.json"
        subprocess.run([sys.argv[1], *RUN, "--timeline", timeline, "--timeline-sms", "0-107", "--json", result], cwd=ROOT,
                       check=True, stdout=subprocess.DEVNULL)
        counted = json.loads(pathlib.Path(result).read_text())
        try:
            reader = TraceProcessor(trace=timeline, config=TraceProcessorConfig(bin_path=os.environ.get("PERFETTO_BINARY")))
        except Exception as error:  # whatever fetching and starting it throws
            print(f"skipped: there is no trace_processor: {str(error)[:300]}")
            sys.exit(77)
        with reader:
            def one(query):
                return next(iter(reader.query(query))).value
            slices = {row.name: row.cycles for row in reader.query(
                "select s.name as name, sum(s.dur) as cycles from slice s join thread_track t on s.track_id = t.id "
                "join thread using (utid) join process using (upid) where process.name like 'warps of SM %' group by 1")}
            for reason, cycles in counted["stalls"].items():
                if reason != "issued":
                    assert slices.get(reason, 0) == cycles, (reason, slices.get(reason), cycles)
            assert one("select sum(value) as value from counter join counter_track t on counter.track_id = t.id "
                       "where t.name like 'issue (%'") == counted["instructions"]["warp"]
            ctas = one("select count() as value from slice s join thread_track t on s.track_id = t.id "
                       "join thread using (utid) join process using (upid) where process.name = 'CTAs'")
            assert ctas == counted["kernel"]["ctas"], ctas
            assert one("select value from stats where name = 'json_parser_failure'") == 0
    print("trace_processor reads what was counted")


if __name__ == "__main__":
    main()
