#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/timeline.svg: the tracks of a timeline, as a viewer shows them:

  stcsim run configs/workloads/demo_1024_sparse.yaml --timeline timeline.json
  timeline_picture.py timeline.json > docs/timeline.svg

Of the CTAs the first SMs, of the warps those of one sub-core; of both launches the first, and what follows of it."""
import collections
import json
import sys

LEFT, WIDTH, ROW, COLUMNS = 150, 800, 14, 800
SMS, SHARES = 6, ["tensor", "issue", "shared", "l2_read", "dram"]
COLOURS = {"issued": "#2a78b5", "tensor_busy": "#b52a4a", "pipe_busy": "#d98ca0", "fixed_latency": "#cccccc",
           "not_selected": "#e8e2c8", "shared_memory": "#6aa84f", "async_copy": "#e08a2c", "global_memory": "#e0b02c",
           "barrier": "#8e5ea2", "memory_queue": "#a8d08d", "no_instruction": "#999999", "scoreboard_other": "#7db3dd",
           "dispatch": "#eeeeee", "drain": "#bbaa99", "register_ports": "#555555"}


def main():
    events = json.load(open(sys.argv[1]))["traceEvents"]
    names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    launch = next(e for e in events if e["ph"] == "X" and names[e["pid"]] == "launches")
    end = launch["args"]["cycles"] / 1000
    here = [e for e in events if e["ph"] in "XC" and e["ts"] < end]
    groups = collections.defaultdict(list)
    for event in here:
        groups[names[event["pid"]]].append(event)

    def at(time):
        return LEFT + WIDTH * min(time, end) / end

    out, y = [], 34

    def label(text):
        out.append(f'<text x="{LEFT - 8}" y="{y + ROW - 3}" text-anchor="end">{text}</text>')

    for share in SHARES:
        points = [(e["ts"], e["args"]["%"]) for e in groups["use of the whole GPU"] if e["name"] == share]
        label(share + " %")
        path = f"M{LEFT},{y + 2 * ROW}"
        for (begin, value), (until, _) in zip(points, points[1:] + [(end, 0)]):
            path += f" L{at(begin):.1f},{y + 2 * ROW * (1 - min(value, 100) / 100):.1f} H{at(until):.1f}"
        out.append(f'<path d="{path} V{y + 2 * ROW} Z" fill="#2a78b5"/>')
        y += 2 * ROW + 6
    for track in sorted({e["tid"] for e in groups["CTAs"]})[:SMS]:
        label("CTAs of " + tracks[next(p for p, t in tracks if t == track and names[p] == "CTAs"), track])
        for event in groups["CTAs"]:
            if event["tid"] == track:
                x = at(event["ts"])
                out.append(f'<rect x="{x:.1f}" y="{y}" width="{at(event["ts"] + event["dur"]) - x:.1f}" height="{ROW - 3}" '
                           f'fill="#e08a2c"/><text x="{x + 4:.1f}" y="{y + ROW - 4}" font-size="10">{event["name"]}</text>')
        y += ROW
    y += 6
    warps = next(name for name in groups if name.startswith("warps of"))
    pid = next(p for p, name in names.items() if name == warps)
    for track in sorted(t for p, t in tracks if p == pid and "sub-core 0" in tracks[p, t]):
        label(tracks[pid, track].replace("sub-core 0, ", warps.split(" of ")[1] + ", "))
        spent = [collections.Counter() for _ in range(COLUMNS)]  # most of what a column shows
        for event in groups[warps]:
            if event["tid"] != track or event["name"].startswith("CTA "):
                continue
            reason = event["name"] if event["name"] in COLOURS else "issued"
            first, last = (int(COLUMNS * t / end) for t in (event["ts"], event["ts"] + event["dur"]))
            for column in range(first, min(last, COLUMNS - 1) + 1):
                low, high = end * column / COLUMNS, end * (column + 1) / COLUMNS
                spent[column][reason] += max(0, min(high, event["ts"] + event["dur"]) - max(low, event["ts"]))
        begin = 0
        kinds = [c.most_common(1)[0][0] if c else None for c in spent] + [None]
        for column in range(1, len(kinds)):
            if kinds[column] == kinds[begin] and column < COLUMNS:
                continue
            if kinds[begin]:
                out.append(f'<rect x="{LEFT + begin}" y="{y}" width="{column - begin}" height="{ROW - 2}" '
                           f'fill="{COLOURS[kinds[begin]]}"/>')
            begin = column
        y += ROW
    y += 10
    for i, (reason, colour) in enumerate(COLOURS.items()):
        x = 10 + 120 * (i % 8)
        out.append(f'<rect x="{x}" y="{y + 18 * (i // 8)}" width="12" height="12" fill="{colour}" stroke="#999"/>'
                   f'<text x="{x + 16}" y="{y + 10 + 18 * (i // 8)}">{reason}</text>')
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{y + 44}" font-family="sans-serif" '
          f'font-size="11"><rect width="100%" height="100%" fill="white"/><text x="10" y="20" font-size="14" '
          f'font-weight="bold">{launch["name"]}: {launch["args"]["cycles"]:,} cycles</text>')
    print("\n".join(out) + "\n</svg>")


if __name__ == "__main__":
    main()
