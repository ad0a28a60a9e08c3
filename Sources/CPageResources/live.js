// SPDX-License-Identifier: Apache-2.0
//
// A layer of a recorded run that the reader can change. The kernels compute; this only shows.
"use strict";

const [CONV_2D, DEPTHWISE_CONV_2D] = [3, 4];

/// A tensor's flat indices at the positions of a grid as square as possible.
function folded(count, first = () => 0) {
  const columns = Math.ceil(Math.sqrt(count));
  return {
    rows: Math.ceil(count / columns), columns, channels: 1,
    flat: (row, column) =>
      row * columns + column < count ? first() + row * columns + column : Infinity,
  };
}

/// The flat indices of activations: an image, or a row of numbers.
function activations({ shape }, isImage) {
  if (!isImage) return folded(shape.reduce((a, b) => a * b, 1));
  const [, rows, columns, channels] = shape;
  return {
    rows, columns, channels,
    flat: (row, column, channel) => (row * columns + column) * channels + channel,
  };
}

/// The flat indices of the weights of an output channel.
function weights({ shape }, code, unit) {
  const [, rows, columns, depth] = shape;
  switch (code) {
    case CONV_2D:
      return { rows, columns, channels: depth, flat: (row, column, channel) =>
        ((unit() * rows + row) * columns + column) * depth + channel };
    case DEPTHWISE_CONV_2D:
      return { rows, columns, channels: 1, flat: (row, column) =>
        (row * columns + column) * depth + unit() };
    default:
      return folded(shape[1], () => unit() * shape[1]);
  }
}

class Layer {
  constructor(root, description, call) {
    Object.assign(this, { root, call });
    this.record = decoded(description.record);
    const { code, inputs } = nodeOf(this.record);
    Object.assign(this, { code, inputs });
    const bytes = decoded(description.output);
    this.recorded = new inputs[0].element.view(bytes.buffer);
    this.isImage = code === CONV_2D || code === DEPTHWISE_CONV_2D;
  }

  async open() {
    this.output = await this.computed();
    const isImage = this.isImage;
    const options = { isImage, onSelect: () => this.refresh() };
    const onChange = () => this.change();
    this.results = new Panel({ ...options, title: "Output", tensor: this.output,
      space: activations(this.output, isImage) });
    const unit = () => isImage ? this.results.channel : this.results.flat;
    this.source = new Panel({ ...options, title: "Input", tensor: this.inputs[0],
      space: activations(this.inputs[0], isImage), onChange });
    this.filter = new Panel({ ...options, title: "Weights",
      heading: () => `Weights of output ${isImage ? "channel" : "element"} ${unit()}`,
      tensor: this.inputs[1],
      space: weights(this.inputs[1], this.code, unit), isSigned: true, onChange });
    this.panels = [this.source, this.filter, this.results];
    for (const panel of [this.source, this.results]) panel.center();
    this.proof = element("p", { class: "live-proof" }, this.compared());
    this.status = element("p", { class: "live-status", "aria-live": "polite" });
    const restore = element("button", { type: "button", class: "live-restore" },
      "Restore the recorded values");
    restore.addEventListener("click", () => this.restore());
    this.sum = element("div", { class: "live-sum" });
    this.root.replaceChildren(this.proof,
      element("div", { class: "live-panels" }, ...this.panels.map((panel) => panel.node)),
      element("div", { class: "live-bar" }, this.status, restore), this.sum,
      element("p", { class: "live-keys" }, "Select a pixel with the pointer or the arrow keys; " +
        "+ and − change it, Page Up and Page Down change the channel, Delete restores it."));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.root.hidden = false;
    await this.refresh();
  }

  /// What the kernels make of the record as it is now.
  async computed() {
    const read = reader(await this.call("martlet_evaluate", this.record));
    if (read.word() !== 0) throw new Error(read.text());
    read.word();
    return read.tensor();
  }

  /// How many elements are those of the recorded run.
  compared() {
    const { values } = this.output;
    let [equal, largest] = [0, 0];
    values.forEach((value, flat) => {
      const difference = Math.abs(value - this.recorded[flat]);
      if (difference === 0 || Object.is(value, this.recorded[flat])) equal += 1;
      largest = Math.max(largest, difference);
    });
    const text = `Computed again in this page: ${equal} of ${this.recorded.length} elements ` +
      "equal the recorded run.";
    return equal === this.recorded.length ? text
      : `${text} The largest difference is ${short(largest)}.`;
  }

  async change() {
    this.output.values.set((await this.computed()).values);
    await this.refresh();
  }

  async restore() {
    for (const panel of [this.source, this.filter]) panel.restore();
    await this.change();
  }

  async refresh() {
    const flat = this.results.flat;
    const lines = new TextDecoder().decode(await this.call("martlet_derivation", this.record, flat));
    if (flat !== this.results.flat) return;
    const parts = lines.split("\n").filter(Boolean).map((line) => line.split("\t"));
    const named = (name) => parts.filter((part) => part[0] === name).map((part) => part.slice(1));
    const terms = named("term");
    this.source.marks = new Set(terms.map((term) => Number(term[0])));
    this.tell(terms, named("bias")[0], named("step"));
    this.draw();
  }

  draw() {
    const colors = Object.fromEntries(
      ["ink", "paper", "accent", "muted"].map((name) => [name, color(this.root, `--${name}`)]));
    for (const panel of this.panels) panel.draw(colors);
    const changes = this.results.changes();
    const edits = this.source.changes() + this.filter.changes();
    this.status.textContent = edits === 0
      ? "Nothing is changed: this is the recorded run."
      : `${edits} ${edits === 1 ? "value is" : "values are"} changed, and with ` +
        `${edits === 1 ? "it" : "them"} ${changes} of ${this.output.values.length} ` +
        "elements of the output.";
  }

  /// The arithmetic of the selected output element.
  tell(terms, bias, steps) {
    const [source, filter] = this.inputs;
    const row = (cells, name = "td") =>
      element("tr", {}, ...cells.map((cell) => element(name, {}, String(cell))));
    const table = element("table", {}, element("thead", {},
      row(["input", "stored", "weight", "product"], "th")));
    const body = element("tbody");
    for (const [from, weight, product] of terms) {
      body.append(row([this.position(Number(from)), short(source.values[from]),
        short(filter.values[weight]), short(Number(product))]));
    }
    table.append(body);
    const list = element("ol");
    for (const [name, text, value] of steps) {
      list.append(element("li", {}, element("span", { class: "live-step" }, name),
        element("span", { class: "live-text" }, text),
        element("span", { class: "live-result" }, short(Number(value)))));
    }
    const heading = element("h3", {}, "How the selected output element is computed");
    const products = element("details", {}, element("summary", {},
      `${terms.length} products${bias ? `, and the bias ${short(Number(bias[1]))}` : ""}`),
      element("div", { class: "live-products", tabindex: 0, role: "region",
        "aria-label": "Products" }, table));
    products.open = this.sum.querySelector("details")?.open ?? false;
    this.sum.replaceChildren(heading, products, list);
  }

  /// The index of an input element along its axes.
  position(flat) {
    let rest = flat;
    const index = [];
    for (const length of this.inputs[0].shape.slice().reverse()) {
      index.unshift(rest % length);
      rest = Math.floor(rest / length);
    }
    return index.slice(1).join(", ");
  }
}

(async () => {
  const text = (id) => document.getElementById(id).textContent;
  const root = document.getElementById("live-layer");
  try {
    const call = await loadedKernels(decoded(text("live-layer-kernels")));
    await new Layer(root, JSON.parse(text("live-layer-data")), call).open();
  } catch (error) {
    root.textContent = `This browser cannot compute the layer: ${error.message}`;
    root.hidden = false;
  }
})();
