// SPDX-License-Identifier: Apache-2.0
//
// A grid of pixels that shows a channel of a tensor, and lets the reader change it.
"use strict";

/// "rgb(…)" of a custom property that may be written in any way.
function color(root, name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  root.append(probe);
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
  probe.remove();
  return parts;
}

const element = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};

const real = (tensor, flat) => {
  const scales = tensor.scales;
  const value = tensor.values[flat];
  if (!scales.length) return value;
  const axis = tensor.axis;
  const inner = tensor.shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  const channel = scales.length > 1 ? Math.floor(flat / inner) % tensor.shape[axis] : 0;
  return scales[channel] * (value - tensor.zeroPoints[channel]);
};

const short = (number) =>
  Number.isInteger(number) ? String(number) : String(+number.toPrecision(6));

// A panel: a grid of pixels with a cursor, and the channels beside it.
class Panel {
  constructor({ title, heading, tensor, space, isSigned, isImage, onSelect, onChange }) {
    Object.assign(this, { title, heading, tensor, space, isSigned, isImage, onSelect, onChange });
    this.isEditable = onChange !== undefined;
    this.row = this.column = this.channel = 0;
    this.marks = new Set();
    this.baseline = tensor.values.slice();
    this.canvas = element("canvas", { tabindex: 0, role: "application",
      "aria-roledescription": "pixel grid" });
    this.caption = element("output", { class: "live-value" });
    this.channels = element("div", { class: "live-channels", role: "group",
      "aria-label": `${title}: channels` });
    for (let channel = 0; space.channels > 1 && channel < space.channels; channel++) {
      const button = element("button", { type: "button", "aria-pressed": "false",
        "aria-label": `${title}, channel ${channel + 1}` }, element("canvas"));
      button.addEventListener("click", () => this.select(this.row, this.column, channel));
      this.channels.append(button);
    }
    this.node = element("figure", { class: "live-panel" },
      element("figcaption"), this.canvas, this.caption);
    if (this.isEditable) this.node.append(this.editor());
    this.node.append(this.channels);
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("pointerdown", (event) => {
      const box = this.canvas.getBoundingClientRect();
      const position = (offset, length, count) =>
        Math.min(count - 1, Math.max(0, Math.floor(offset / length * count)));
      this.select(position(event.clientY - box.top, box.height, space.rows),
        position(event.clientX - box.left, box.width, space.columns), this.channel);
    });
  }

  editor() {
    this.field = element("input", { type: "number", step: this.isFloat ? "any" : "1",
      "aria-label": `${this.title}: value of the selected element` });
    this.field.addEventListener("change", () => this.put(Number(this.field.value)));
    const button = (text, label, delta) => {
      const node = element("button", { type: "button", "aria-label": label }, text);
      node.addEventListener("click", () => this.put(this.tensor.values[this.flat] + delta()));
      return node;
    };
    return element("div", { class: "live-editor" },
      button("−", "smaller", () => -this.step), this.field,
      button("+", "larger", () => this.step));
  }

  get isFloat() { return this.tensor.code === 0; }
  get flat() { return this.space.flat(this.row, this.column, this.channel); }
  get step() {
    if (!this.isFloat) return 1;
    return (Math.max(...this.baseline) - Math.min(...this.baseline)) / 32 || 1;
  }

  exists(flat) { return flat < this.tensor.values.length; }

  center() {
    this.row = Math.floor((this.space.rows - 1) / 2);
    this.column = Math.floor((this.space.columns - 1) / 2);
  }

  restore() { this.tensor.values.set(this.baseline); }

  changes() {
    return this.tensor.values.reduce(
      (count, value, flat) => count + (Object.is(value, this.baseline[flat]) ? 0 : 1), 0);
  }

  key(event) {
    const { rows, columns, channels } = this.space;
    const move = (row, column, channel) => this.select(
      Math.min(rows - 1, Math.max(0, this.row + row)),
      Math.min(columns - 1, Math.max(0, this.column + column)),
      Math.min(channels - 1, Math.max(0, this.channel + channel)));
    const change = (steps) => this.isEditable &&
      this.put(this.tensor.values[this.flat] + steps * this.step);
    const actions = {
      ArrowUp: () => move(-1, 0, 0), ArrowDown: () => move(1, 0, 0),
      ArrowLeft: () => move(0, -1, 0), ArrowRight: () => move(0, 1, 0),
      PageUp: () => move(0, 0, -1), PageDown: () => move(0, 0, 1),
      "+": () => change(1), "=": () => change(1), "-": () => change(-1),
      "*": () => change(16), "/": () => change(-16),
      Delete: () => this.isEditable && this.put(this.baseline[this.flat]),
    };
    if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[event.key]();
  }

  select(row, column, channel) {
    if (!this.exists(this.space.flat(row, column, channel))) return;
    Object.assign(this, { row, column, channel });
    this.onSelect(this);
  }

  put(value) {
    const { lowest, highest } = this.tensor.element;
    if (Number.isNaN(value)) return;
    const whole = this.isFloat ? value : Math.round(value);
    this.tensor.values[this.flat] = Math.min(highest, Math.max(lowest, whole));
    this.onChange(this);
  }

  draw(colors) {
    let [lowest, highest] = [Infinity, -Infinity];
    for (const { flat } of this.positions()) {
      const number = real(this.tensor, flat);
      if (!Number.isFinite(number)) continue;
      lowest = Math.min(lowest, number);
      highest = Math.max(highest, number);
    }
    if (this.isSigned) lowest = -(highest = Math.max(-lowest, highest));
    const part = (flat) => (real(this.tensor, flat) - lowest) / (highest - lowest || 1);
    const mix = (a, b, t) => a.map((x, i) => Math.round(x + (b[i] - x) * t));
    const shade = (flat) => {
      const t = part(flat);
      const rgb = !this.isSigned ? mix(colors.paper, colors.ink, t)
        : t < 0.5 ? mix(colors.paper, colors.muted, 1 - 2 * t)
        : mix(colors.paper, colors.accent, 2 * t - 1);
      return `rgb(${rgb})`;
    };
    this.paint(this.canvas, this.channel, shade, colors,
      Math.max(1, Math.floor(304 / Math.max(this.space.rows, this.space.columns))));
    const changed = this.changedChannels();
    this.channels.childNodes.forEach((button, channel) => {
      this.paint(button.firstChild, channel, shade, null, 1);
      button.setAttribute("aria-pressed", String(channel === this.channel));
      button.classList.toggle("live-changed", changed.has(channel));
    });
    this.tell();
  }

  /// Every element of the panel's channels.
  *positions() {
    const { rows, columns, channels } = this.space;
    for (let channel = 0; channel < channels; channel++)
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) {
          const flat = this.space.flat(row, column, channel);
          if (this.exists(flat)) yield { flat, channel };
        }
  }

  changedChannels() {
    const found = new Set();
    for (const { flat, channel } of this.positions())
      if (!Object.is(this.tensor.values[flat], this.baseline[flat])) found.add(channel);
    return found;
  }

  paint(canvas, channel, shade, colors, size) {
    const { rows, columns } = this.space;
    const ratio = colors ? Math.max(1, window.devicePixelRatio || 1) : 1;
    const pixel = Math.round(size * ratio);
    canvas.width = columns * pixel;
    canvas.height = rows * pixel;
    if (colors) canvas.style.width = `${columns * size}px`;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const frame = (row, column, stroke, width) => {
      pen.strokeStyle = stroke;
      pen.lineWidth = width;
      const inset = width / 2;
      pen.strokeRect(column * pixel + inset, row * pixel + inset, pixel - width, pixel - width);
    };
    const framed = [];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const flat = this.space.flat(row, column, channel);
        if (!this.exists(flat)) continue;
        pen.fillStyle = shade(flat);
        pen.fillRect(column * pixel, row * pixel, pixel, pixel);
        if (!colors) continue;
        if (size >= 40) this.write(pen, flat, (column + 0.5) * pixel, (row + 0.5) * pixel, pixel);
        if (this.marks.has(flat)) framed.push([row, column, `rgb(${colors.muted})`, ratio]);
        if (this.tensor.values[flat] !== this.baseline[flat])
          framed.push([row, column, `rgb(${colors.accent})`, 2 * ratio]);
      }
    if (!colors) return;
    for (const one of framed) frame(...one);
    frame(this.row, this.column, `rgb(${colors.paper})`, 4 * ratio);
    frame(this.row, this.column, `rgb(${colors.ink})`, 2 * ratio);
  }

  /// The value in the middle of a large pixel, dark on light or light on dark.
  write(pen, flat, x, y, pixel) {
    const [red, green, blue] = pen.getImageData(x, y, 1, 1).data;
    pen.fillStyle = 0.3 * red + 0.6 * green + 0.1 * blue > 140 ? "#000c" : "#fffc";
    pen.font = `${Math.min(pixel / 3.2, 26)}px ${getComputedStyle(this.node).fontFamily}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const value = this.tensor.values[flat];
    pen.fillText(this.isFloat ? value.toPrecision(2) : String(value), x, y);
  }

  tell() {
    const value = this.tensor.values[this.flat];
    const was = this.baseline[this.flat];
    const number = real(this.tensor, this.flat);
    const meaning = this.tensor.scales.length ? `, stands for ${short(number)}` : "";
    const change = value !== was ? `, was ${short(was)}` : "";
    const position = this.isImage
      ? `row ${this.row}, column ${this.column}, channel ${this.channel}`
      : `element ${this.row * this.space.columns + this.column}`;
    const text = `${position}: ${short(value)}${meaning}${change}`;
    this.caption.textContent = text;
    this.node.firstChild.textContent = this.heading?.() ?? this.title;
    this.canvas.setAttribute("aria-label", `${this.title}, ${text}`);
    if (this.field) this.field.value = short(value);
  }
}
