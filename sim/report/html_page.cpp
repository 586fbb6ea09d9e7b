// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/svg_plot.h"

namespace stc::sim {
namespace {

// s0 to s7: categories, told apart also by people who confuse red and green. q0 to q3: one hue, an order.
constexpr const char* kStyle = R"css(
:root { color-scheme: light dark;
  --page: #f6f6f3; --card: #ffffff; --ink: #14140f; --soft: #55544e; --grid: #e6e5df; --axis: #b9b8b0; --accent: #1f63b5;
  --s0: #2a78d6; --s1: #e0662f; --s2: #169b6b; --s3: #c58a00; --s4: #d26391; --s5: #2e7d1e; --s6: #5a48b8; --s7: #d23f3e;
  --q0: #9cc3f0; --q1: #5c9de6; --q2: #2369bd; --q3: #123f78; --good: #1c7a3d; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root {
  --page: #131312; --card: #1d1d1b; --ink: #f2f1ec; --soft: #b5b4ab; --grid: #31312e; --axis: #5b5a54; --accent: #7db3f2;
  --s0: #4a95ea; --s1: #ec7d47; --s2: #2fb583; --s3: #d9a021; --s4: #e386ad; --s5: #63ad4f; --s6: #9b8cf0; --s7: #ef6b69;
  --q0: #27507f; --q1: #3a78c2; --q2: #76aef0; --q3: #c4defb; --good: #67c587; --bad: #f28b82; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1360px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 19px; margin: 0 0 4px; } h3 { font-size: 15px; margin: 12px 0 2px; }
p { margin: 0 0 12px; max-width: 80ch; } .soft { color: var(--soft); }
a { color: var(--accent); } nav { margin: 14px 0 18px; display: flex; flex-wrap: wrap; gap: 6px 16px; font-size: 14px; }
section { background: var(--card); border: 1px solid var(--grid); border-radius: 8px; padding: 18px 20px; margin: 0 0 18px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 12px; margin-bottom: 18px; }
.tile { background: var(--card); border: 1px solid var(--grid); border-radius: 8px; padding: 12px 16px; }
.tile b { display: block; font-size: 26px; font-weight: 600; line-height: 1.3; }
.tile span { color: var(--soft); font-size: 13px; display: block; overflow-wrap: anywhere; }
code { font-size: 12px; overflow-wrap: anywhere; } details { margin: 8px 0 0; font-size: 13.5px; }
.grid-of { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 14px 18px; }
.grid-of.wide { grid-template-columns: repeat(auto-fill, minmax(400px, 1fr)); }
figure { margin: 0; min-width: 0; } figcaption { font-size: 13px; font-weight: 600; margin: 0 0 2px; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; display: block; font: 11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13.5px; width: 100%; }
th { text-align: left; color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--axis); padding: 4px 12px 4px 0; }
td { border-bottom: 1px solid var(--grid); padding: 4px 12px 4px 0; vertical-align: top; overflow-wrap: break-word; }
.name { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.total td { font-weight: 600; } .good { color: var(--good); } .bad { color: var(--bad); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; color: var(--soft); margin: 4px 0 10px; padding: 0; list-style: none; }
.legend svg { display: inline-block; vertical-align: -1px; margin-right: 6px; }
ul.notes { margin: 0; padding-left: 18px; font-size: 13px; color: var(--soft); overflow-wrap: anywhere; }
.grid { stroke: var(--grid); stroke-width: 1; } .axis { stroke: var(--axis); stroke-width: 1; }
.rule { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 4 3; }
.tick { fill: var(--soft); } .label { fill: var(--ink); font-size: 12px; } .value { fill: var(--ink); font-size: 12px; }
.dot { fill: var(--c); fill-opacity: .72; stroke: var(--card); stroke-width: .6; } .line { fill: none; stroke: var(--c); stroke-width: 1.8; stroke-linejoin: round; }
.bar { fill: var(--c); } .legend .dot { fill-opacity: 1; }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); } .s4 { --c: var(--s4); }
.s5 { --c: var(--s5); } .s6 { --c: var(--s6); } .s7 { --c: var(--s7); } .sx { --c: var(--axis); }
.q0 { --c: var(--q0); } .q1 { --c: var(--q1); } .q2 { --c: var(--q2); } .q3 { --c: var(--q3); }
@media print { section { break-inside: avoid; } body { background: #fff; } }
)css";

const char* mark_of(LegendEntry::Mark mark) {
  switch (mark) {
    case LegendEntry::Mark::kLine: return "<path class=\"line {}\" d=\"M0 6L18 6\"/>";
    case LegendEntry::Mark::kRing: return "<circle class=\"line {}\" cx=\"9\" cy=\"6\" r=\"4\"/>";
    default: return "<circle class=\"dot {}\" cx=\"9\" cy=\"6\" r=\"4.5\"/>";
  }
}

constexpr std::size_t kShortText = 12, kMostRoom = 36;  // characters

const char* class_of(HtmlTable::Style style) {
  switch (style) {
    case HtmlTable::Style::kNumber: return " class=\"number\"";
    case HtmlTable::Style::kName: return " class=\"name\"";
    default: return "";
  }
}

}  // namespace

std::string html_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      escape_html(title), kStyle, body);
}

std::string html_section(const std::string& id, const std::string& title, const std::string& intro,
                         const std::string& body) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}{}</section>\n", id, escape_html(title),
                     intro.empty() ? "" : fmt::format("<p class=\"soft\">{}</p>\n", escape_html(intro)), body);
}

std::string html_warning(const std::string& text) {
  return text.empty() ? "" : fmt::format("<p class=\"bad\"><strong>{}</strong></p>\n", escape_html(text));
}

std::string html_figure(const std::string& caption, const std::string& svg) {
  return fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", escape_html(caption), svg);
}

std::string html_grid(const std::string& figures) {
  return fmt::format("<div class=\"grid-of\">\n{}</div>\n", figures);
}

std::string html_wide_grid(const std::string& figures) {
  return fmt::format("<div class=\"grid-of wide\">\n{}</div>\n", figures);
}

std::string html_legend(const std::vector<LegendEntry>& entries) {
  std::string out = "<ul class=\"legend\">";
  for (const LegendEntry& entry : entries) {
    const char* const mark = mark_of(entry.mark);
    out += fmt::format("<li><svg width=\"18\" height=\"12\" aria-hidden=\"true\">{}</svg>{}</li>",
                       fmt::format(fmt::runtime(mark), entry.colour), escape_html(entry.name));
  }
  return out + "</ul>\n";
}

void HtmlTable::row(const std::vector<std::string>& cells, const std::string& style) {
  rows_ += style.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", style);
  longest_.resize(columns_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    longest_[i] = std::max(longest_[i], cells[i].size());
    rows_ += fmt::format("<td{}>{}</td>", class_of(columns_[i].style), escape_html(cells[i]));
  }
  rows_ += "</tr>\n";
}

std::string HtmlTable::html() const {
  std::string head;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    // What is long gets room for some words a line, and the table scrolls where the page is too narrow for all.
    const std::size_t longest = i < longest_.size() ? longest_[i] : 0;
    const bool needs_room = column.style == Style::kText && longest > kShortText;
    head += fmt::format("<th scope=\"col\"{}{}>{}</th>", class_of(column.style),
                        needs_room ? fmt::format(" style=\"min-width:{}ch\"", std::min(longest, kMostRoom)) : "",
                        escape_html(column.title));
  }
  return fmt::format("<div class=\"scroll\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
                     head, rows_);
}

std::string html_tiles(const std::vector<HtmlTile>& tiles) {
  std::string out = "<div class=\"tiles\">\n";
  for (const HtmlTile& tile : tiles) {
    out += fmt::format("<div class=\"tile\"><span>{}</span><b>{}</b><span>{}</span></div>\n", escape_html(tile.title),
                       escape_html(tile.value), escape_html(tile.detail));
  }
  return out + "</div>\n";
}

}  // namespace stc::sim
