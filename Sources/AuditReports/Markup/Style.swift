// SPDX-License-Identifier: Apache-2.0

extension Markup {
  /// The style sheet of a report: system fonts, light or dark as the reader prefers; contrast of
  /// text at least 4.5 to 1 in both.
  static let styleSheet = """
    :root { color-scheme: light dark; --paper: #fbfaf7; --panel: #ffffff; --ink: #1f2328; --muted: #57606a;
      --line: #dcd8cf; --accent: #14507a; --accent-soft: #d3e3ef; --good: #1a6b35;
      --warn: #8a4b00; --bad: #a3191f; --bar: #6c9bbd; }
    @media (prefers-color-scheme: dark) { :root { --paper: #14171b; --panel: #1b2026;
      --ink: #e4e6e8; --muted: #a2abb5; --line: #353c45; --accent: #8cc4ee;
      --accent-soft: #22394b; --good: #7fd39a; --warn: #f0b86c; --bad: #ff9a94; --bar: #47799e; } }
    * { box-sizing: border-box; }
    html { scroll-behavior: smooth; }
    @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
    .skip { position: absolute; left: -99em; }
    .skip:focus { left: 1em; top: 1em; background: var(--panel); padding: .5em 1em; z-index: 2; }
    header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; }
    header { padding-top: 2.5rem; }
    header p { margin: .3rem 0; }
    h1 { font-size: 2rem; line-height: 1.2; font-weight: 700; margin: 0 0 .3rem;
      overflow-wrap: anywhere; }
    h2 { font-size: 1.35rem; font-weight: 600; margin: 0 0 .6rem; }
    h3 { font-size: 1.05rem; font-weight: 600; margin: 1.6rem 0 .4rem; }
    section { background: var(--panel); border: 1px solid var(--line); border-radius: 10px;
      padding: 1.4rem 1.5rem; margin: 1.2rem 0; }
    nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; padding: 0;
      margin: 1.2rem 0 0; }
    a { color: var(--accent); }
    a:focus-visible, summary:focus-visible, button:focus-visible, [tabindex]:focus-visible {
      outline: 3px solid var(--accent); outline-offset: 2px; }
    .hint { color: var(--muted); margin: .2rem 0 .9rem; max-width: 62rem; }
    code { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
      overflow-wrap: anywhere; }
    pre { overflow: auto; background: var(--paper); border: 1px solid var(--line);
      border-radius: 6px; padding: .8rem 1rem; }
    dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; gap: .25rem 1.4rem;
      margin: 0; }
    dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
    .scroll { overflow-x: auto; }
    .tall { overflow: auto; max-height: 44rem; border: 1px solid var(--line); border-radius: 8px;
      background: var(--paper); }
    table { border-collapse: collapse; min-width: min(100%, 30rem); font-size: .88rem;
      font-variant-numeric: tabular-nums; }
    caption { text-align: left; color: var(--muted); padding: .2rem 0 .5rem; }
    th, td { text-align: left; padding: .32rem 1.1rem .32rem 0; border-bottom: 1px solid var(--line);
      vertical-align: middle; }
    th { font-weight: 600; color: var(--muted); white-space: nowrap; }
    td.n, th.n { text-align: right; white-space: nowrap; }
    td code { white-space: nowrap; } td { max-width: 22rem; }
    th button { border: 0; background: none; padding: 0; color: inherit; font-weight: inherit; }
    th button:hover { color: var(--accent); }
    tr:target td { background: var(--accent-soft); }
    figure { margin: .6rem 1.4rem .9rem 0; display: inline-block; vertical-align: top;
      max-width: 100%; }
    figcaption { color: var(--muted); font-size: .85rem; max-width: 34rem; }
    .figures { display: grid; gap: .4rem 1.6rem;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 29rem), 1fr)); }
    img { max-width: 100%; height: auto; border-radius: 4px; }
    img.pixels { image-rendering: pixelated; }
    svg { max-width: 100%; height: auto; display: block; }
    .tall svg { margin: 0 auto; }
    svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
    svg .faint { fill: var(--muted); font-size: 11px; } svg .small { font-size: 11px; }
    .good { color: var(--good); } .warning { color: var(--warn); } .bad { color: var(--bad); }
    .verdict { font-size: 1.1rem; font-weight: 600; }
    .findings { list-style: none; padding: 0; margin: .6rem 0 0; }
    .findings li { border-left: 4px solid var(--line); padding: .3rem 0 .3rem .9rem;
      margin: .5rem 0; }
    .findings li.error { border-color: var(--bad); } .findings li.warning-item {
      border-color: var(--warn); } .findings p { margin: .1rem 0; }
    .overlay { position: relative; display: inline-block; max-width: 100%; }
    .overlay svg { position: absolute; left: 0; top: 0; width: 100%; height: 100%; }
    .tools { display: flex; gap: .5rem; margin: 0 0 .6rem; }
    button { font: inherit; color: var(--ink); background: var(--paper);
      border: 1px solid var(--line); border-radius: 6px; padding: .25rem .8rem; cursor: pointer; }
    summary { cursor: pointer; color: var(--accent); }
    footer { color: var(--muted); padding-bottom: 3rem; font-size: .9rem; }
    @media print { section { break-inside: avoid; } .tall { max-height: none; } }
    """

  /// What a page adds where scripts run: buttons that enlarge the graph, and tables that sort.
  static let script = """
    "use strict";
    for (const box of document.querySelectorAll("[data-zoom]")) {
      const drawing = box.querySelector("svg");
      const width = Number(drawing.getAttribute("width"));
      let scale = 1;
      const tools = document.createElement("div");
      tools.className = "tools";
      const add = (label, name, change) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label;
        button.setAttribute("aria-label", name);
        button.addEventListener("click", () => {
          scale = change === 0 ? 1 : Math.min(6, Math.max(0.1, scale * change));
          drawing.style.maxWidth = "none";
          drawing.style.width = `${width * scale}px`;
        });
        tools.append(button);
      };
      add("+", "Enlarge the drawing", 1.3);
      add("\\u2212", "Reduce the drawing", 1 / 1.3);
      add("1:1", "Original size", 0);
      box.before(tools);
    }
    for (const table of document.querySelectorAll("table[data-sort], .sortable table")) {
      const body = table.tBodies[0];
      [...table.tHead.rows[0].cells].forEach((head, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = head.textContent;
        head.replaceChildren(button);
        let descending = false;
        button.addEventListener("click", () => {
          const value = (row) => {
            const text = row.cells[column].textContent.replaceAll("\\u202f", "");
            const number = Number.parseFloat(text);
            return Number.isNaN(number) ? text : number;
          };
          const order = (a, b) => typeof a === "number" && typeof b === "number"
            ? a - b : String(a).localeCompare(String(b));
          descending = !descending;
          const rows = [...body.rows].sort((a, b) =>
            (descending ? -1 : 1) * order(value(a), value(b)));
          for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
          head.setAttribute("aria-sort", descending ? "descending" : "ascending");
          body.append(...rows);
        });
      });
    }
    """
}
