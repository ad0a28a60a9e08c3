// SPDX-License-Identifier: Apache-2.0
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
  add("\u2212", "Reduce the drawing", 1 / 1.3);
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
        const text = row.cells[column].textContent.replaceAll("\u202f", "");
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
