// SPDX-License-Identifier: Apache-2.0
// Runs inside a page that check_pages.py shows in a frame: what of it a person would find broken, as a list of sentences.
function lookForDefects() {
  const found = [];
  // What a reader opens is looked at as well.
  for (const closed of document.querySelectorAll("details")) closed.open = true;
  const say = (what, element, more) => {
    const text = (element.textContent || element.tagName).trim().replace(/\s+/g, " ").slice(0, 40);
    found.push(`${what}: <${element.tagName.toLowerCase()} class="${element.getAttribute("class") || ""}"> "${text}" ${more || ""}`);
  };
  const seen = element => {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    return box.width > 0 && box.height > 0 && style.visibility !== "hidden";
  };
  const scrolls = element => {
    for (let at = element; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  };

  // Nothing sticks out of the page, its cell or its drawing.
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide + 1) {
    const guilty = [...document.querySelectorAll("main *")].find(e => e.getBoundingClientRect().right > wide + 1 && !scrolls(e));
    say("wider than the page", guilty || document.body, `${document.documentElement.scrollWidth} px`);
  }
  for (const cell of document.querySelectorAll("td, th, .tile, p, figcaption, h1, h2, li, nav")) {
    if (cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).display !== "inline") say("text leaves its box", cell);
  }
  // A column of text is no narrower than a word or two, a table no longer a ribbon.
  for (const cell of document.querySelectorAll("td:not(.number):not(.name)")) {
    const lines = cell.getClientRects().length && cell.clientHeight / (parseFloat(getComputedStyle(cell).fontSize) * 1.5);
    if (lines > 6 && cell.clientWidth < 110 && cell.textContent.trim().length > 30) {
      say("a column too narrow to read", cell, `${cell.clientWidth} px, ${Math.round(lines)} lines`);
    }
  }

  const drawings = [...document.querySelectorAll("svg")].filter(svg => !svg.closest(".legend") && seen(svg));
  for (const svg of drawings) {
    const frame = svg.getBoundingClientRect();
    const marks = [...svg.querySelectorAll("*")].filter(e => /(^| )(s[0-7x]|q[0-3])( |$)/.test(e.getAttribute("class") || ""));
    const drawn = marks.filter(mark => {
      const box = mark.getBoundingClientRect();
      return box.width + box.height > 0.5 && box.right > frame.left && box.left < frame.right && box.bottom > frame.top && box.top < frame.bottom;
    });
    if (drawn.length === 0) say("an empty chart", svg, svg.getAttribute("aria-label") || "");
    const texts = [...svg.querySelectorAll("text")].filter(e => e.textContent.trim());
    const boxes = texts.map(text => text.getBoundingClientRect());
    texts.forEach((text, i) => {
      const box = boxes[i];
      if (box.left < frame.left - 1.5 || box.right > frame.right + 1.5 || box.top < frame.top - 1.5 || box.bottom > frame.bottom + 1.5) {
        say("text clipped by its drawing", text);
      }
      for (let j = 0; j < i; ++j) {
        const w = Math.min(box.right, boxes[j].right) - Math.max(box.left, boxes[j].left);
        const h = Math.min(box.bottom, boxes[j].bottom) - Math.max(box.top, boxes[j].top);
        // A line's box is higher than its letters.
        if (w > 2 && h > 0.4 * Math.min(box.height, boxes[j].height)) say("texts overlap", text, `and "${texts[j].textContent}"`);
      }
    });
  }

  // HTML text over HTML text: lines of different blocks.
  const lines = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.textContent.trim() || node.parentElement.closest("svg, script, style")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) lines.push({box, node});
  }
  lines.sort((a, b) => a.box.top - b.box.top);
  for (let i = 0; i < lines.length; ++i) {
    for (let j = i + 1; j < lines.length && lines[j].box.top < lines[i].box.bottom; ++j) {
      const a = lines[i].box, b = lines[j].box;
      const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - b.top;
      if (w > 2 && h > 0.4 * Math.min(a.height, b.height)) say("texts overlap", lines[j].node.parentElement, `and "${lines[i].node.textContent.trim().slice(0, 30)}"`);
    }
  }

  // Text can be told from what is behind it (WCAG's ratio; 3 is what large text needs).
  const parts = colour => (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const light = ([r, g, b]) => [r, g, b].reduce((sum, c, i) => {
    const v = c / 255;
    return sum + [0.2126, 0.7152, 0.0722][i] * (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0.5) return colour;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
  };
  const told = new Set();
  for (const element of [...new Set([...lines.map(l => l.node.parentElement), ...document.querySelectorAll("svg text")])]) {
    const style = getComputedStyle(element), ink = light(parts(element.closest("svg") ? style.fill : style.color)), back = light(behind(element));
    const ratio = (Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05);
    const kind = `${element.tagName}.${element.getAttribute("class")}`;
    if (ratio < 3 && !told.has(kind)) say("text hardly seen", element, `contrast ${ratio.toFixed(1)}`);
    if (ratio < 3) told.add(kind);
  }
  if (!document.body.textContent.trim()) found.push("an empty page");
  return found;
}
