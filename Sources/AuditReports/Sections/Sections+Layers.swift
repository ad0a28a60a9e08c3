// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import ModelSummaries
internal import PageMarkup
internal import Tensors

extension AuditReport {
  /// The graph as a drawing.
  var graphSection: Markup {
    .section(
      "graph", "Graph",
      [
        .hint(
          "From the inputs at the top to the outputs at the bottom. The darker a node, the more "
            + "multiply-accumulates it does; each leads to its row below."),
        .tag(
          "div",
          [
            "class": "tall", "data-zoom": "", "tabindex": "0", "role": "region",
            "aria-label": "Graph, scrollable",
          ], [Drawing.graph(layers)]),
      ])
  }

  /// A row for each node.
  var layerSection: Markup {
    let isTimed = layers.contains { $0.milliseconds != nil }
    let total = layers.reduce(0) { $0 + ($1.milliseconds ?? 0) }
    var columns: [Markup.Column] = [
      .numbers("#"), .words("Operator"), .words("Result"), .numbers("Scale"),
      .numbers("Zero point"), .numbers("MACs"), .numbers("Weights"), .numbers("Read"),
      .numbers("Written"),
    ]
    if isTimed { columns += [.numbers("ms"), .numbers("%")] }
    columns += [.words("Options"), .words("Kernel")]
    let rows = layers.map { layer in
      let output = layer.outputs.first
      let affine = output?.type.quantization?.perTensor
      var cells: [Markup] = [
        "\(layer.index)", .name(layer.operatorName),
        .text(output.map { "\($0.type)" } ?? layer.state),
        .text(affine.map { Double($0.scale).short(4) } ?? ""),
        .text(affine.map { "\($0.zeroPoint)" } ?? ""),
        .text(layer.multiplyAdds.map { $0 == 0 ? "" : "\($0)" } ?? ""),
        .text(layer.parameterByteCount == 0 ? "" : "\(layer.parameterByteCount)"),
        .text(layer.readByteCount.map(String.init) ?? ""),
        .text(layer.writtenByteCount.map(String.init) ?? ""),
      ]
      if isTimed {
        cells += [
          .text(layer.milliseconds.map { $0.fixed(3) } ?? ""),
          .text(layer.milliseconds.map { ($0 / max(total, 1e-9) * 100).fixed(1) } ?? ""),
        ]
      }
      cells += [.text(layer.attributes), .code(layer.kernel ?? layer.state)]
      return Markup.Row(id: "node-\(layer.index)", cells)
    }
    return .section(
      "layers", "Layers",
      [
        .hint(
          "Bytes are those of tensors as the model stores them; weights are counted where they "
            + "are used. MACs are multiply-accumulates."
            + (isTimed ? " Times are the least of five runs, each node computed alone." : "")),
        .tag(
          "div", ["class": "sortable"],
          [.table(caption: "Nodes of the main graph, in the order of the run", columns, rows)]),
      ])
  }

  /// Where tensors lie, and when.
  var memorySection: Markup {
    guard let memory else {
      return .section(
        "memory", "Memory", [.paragraph("Sizes are known only while the model runs.")])
    }
    let peak = memory.peak
    let holders = memory.locations.filter { $0.lifetime.contains(peak.node) }
      .sorted { ($1.byteCount, $0.tensor) < ($0.byteCount, $1.tensor) }
    let rows = memory.locations.map { location in
      Markup.Row([
        "\(location.tensor)", .name(memory.names[location.tensor]), "\(location.offset)",
        "\(location.byteCount)",
        "\(location.lifetime.lowerBound)–\(location.lifetime.upperBound)",
      ])
    }
    let saving = memory.totalByteCount - memory.arenaByteCount
    return .section(
      "memory", "Memory",
      [
        .facts([
          ("Arena", "\(memory.arenaByteCount.byteText)"),
          ("No plan could need less than", "\(memory.lowerBound.byteText)"),
          (
            "Side by side, all tensors would need",
            "\(memory.totalByteCount.byteText): \(max(saving, 0).byteText) are saved"
          ),
          (
            "Most in use", "\(peak.byteCount.byteText), at node \(peak.node)"
          ),
          (
            "Held then by",
            .text(
              holders.prefix(6).map { "tensor \($0.tensor) (\($0.byteCount.byteText))" }
                .joined(separator: ", "))
          ),
        ]),
        .hint(
          "Each rectangle is a tensor: from the node that writes it to the last one that reads it, "
            + "at its offset in the arena. The dashed line is the least that any plan needs."),
        .tag(
          "div",
          ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Memory plan"],
          [Drawing.memory(memory)]),
        .details(
          "All offsets",
          [
            .table(
              caption: "Tensors in the arena, by offset",
              [
                .numbers("Tensor"), .words("Name"), .numbers("Offset"), .numbers("Bytes"),
                .numbers("Nodes"),
              ], rows)
          ]),
      ])
  }
}
