// SPDX-License-Identifier: Apache-2.0
// Runs beside Perfetto's UI, which opens the timeline by itself: waits until it is drawn, asks its trace_processor, and
// sends what it found to perfetto.py.

// The reader of chrome://tracing, which the UI brings along: names of the groups from top to bottom, what it warns of.
async function inChromesViewer({viewer}) {
  const frame = document.createElement("iframe");
  frame.style.display = "none";
  frame.src = viewer;
  document.body.append(frame);
  await new Promise(done => frame.onload = done);
  const {tr} = frame.contentWindow;
  const model = new tr.Model();
  new tr.importer.Import(model).importTraces([await (await fetch("/localtrace")).text()]);
  const groups = Object.values(model.processes).sort((a, b) => a.compareTo(b));
  return {groups: groups.map(group => group.name), warnings: model.importWarnings.map(String)};
}

(async () => {
  const wait = ms => new Promise(done => setTimeout(done, ms));
  const ui = document.querySelector("iframe");
  const begin = performance.now();
  const found = {answers: []};
  try {
    const {queries, groups} = await (await fetch("/stcsim/questions")).json();
    while (!ui.contentWindow.app?.trace) {
      if (ui.contentDocument?.querySelector(".pf-modal-dialog")) throw new Error(ui.contentDocument.body.innerText);
      await wait(50);
    }
    await ui.contentWindow.waitForPerfettoIdle(500);
    found.seconds = (performance.now() - begin) / 1000;
    const {engine, workspace} = ui.contentWindow.app.trace;
    for (const query of queries) {
      const rows = await engine.query(query), answer = [], columns = rows.columns();
      const any = Object.fromEntries(columns.map(column => [column, null]));
      for (const row = rows.iter(any); row.valid(); row.next()) {
        answer.push(columns.map(column => typeof row.get(column) === "bigint" ? Number(row.get(column)) : row.get(column)));
      }
      found.answers.push(answer);
    }
    const tree = node => ({name: node.name, tracks: node.children.map(tree)});
    found.tracks = workspace.children.map(tree);
    // What a person sees: the groups, and below those that are opened their tracks.
    const opened = workspace.flatTracks.filter(node => groups.some(group => node.fullPath[0].startsWith(group)));
    for (const node of opened) node.expand();
    // A busy computer draws them some time after the UI has called itself idle.
    for (let before = 0, i = 0; i < 40 && (found.shown === undefined || found.shown.length !== before ||
         (opened.length > 0 && before <= workspace.children.length)); ++i) {
      before = found.shown?.length ?? 0;
      ui.contentWindow.raf?.scheduleFullRedraw();
      await ui.contentWindow.waitForPerfettoIdle(500);
      found.shown = [...ui.contentDocument.querySelectorAll(".pf-track__title-popup")].map(title => title.textContent);
    }
    found.dialog = ui.contentDocument.querySelector(".pf-modal-dialog")?.innerText ?? "";
    found.chrome = await inChromesViewer(await (await fetch("/stcsim/questions")).json());
  } catch (error) {
    found.error = String(error && error.stack || error);
  }
  await fetch("/stcsim/found", {method: "POST", body: JSON.stringify(found)});
})();
