// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import JSONDocuments
internal import LiveKernels
internal import MetadataFormat
internal import ModelFormat
internal import PageMarkup

extension AuditReport {
  /// The report as one page of HTML that refers to nothing outside itself and can be read without
  /// scripts.
  public var html: String {
    let sections = sections
    return ReportPage(
      kind: "Audit of a TensorFlow Lite model", title: identity.fileName, headline: headline,
      links: sections.map { ($0.id, $0.title) } + [("data", "Data")],
      content: sections.map(\.content) + [dataSection], live: live
    ).html
  }

  /// All sections but the data.
  var sections: [(id: String, title: String, content: Markup)] {
    [
      ("verdict", "Verdict", verdictSection), ("result", "Result", resultSection),
      ("preprocessing", "Input", preprocessingSection), ("identity", "Identity", identitySection),
      ("card", "Model card", cardSection), ("operators", "Operators", operatorSection),
      ("graph", "Graph", graphSection), ("layers", "Layers", layerSection),
      ("memory", "Memory", memorySection), ("activations", "Activations", activationSection),
      ("features", "Feature maps", featureSection),
      ("live", "Live kernel", liveSection),
      ("quantization", "Quantization", quantizationSection),
      ("weights", "Weights", weightSection), ("proof", "Determinism", proofSection),
    ]
  }

  /// A layer that readers can change.
  private var liveSection: Markup {
    .section(
      "live", "Live kernel",
      [live.map { .verbatim($0.html) } ?? .paragraph("No layer is small enough to be shown here.")])
  }

  /// The model in one line.
  var headline: String {
    let work = totalMultiplyAdds.map { ", \((Double($0) / 1e6).short(4)) million MACs" } ?? ""
    let name = metadata?.name.flatMap { $0.isEmpty ? nil : "\($0.printable): " } ?? ""
    return "\(name)\(layers.count) nodes, \(weightByteCount.byteText) of weights\(work)"
      + (memory.map { ", an arena of \($0.arenaByteCount.byteText)" } ?? "")
  }

  /// All of it for programs.
  private var dataSection: Markup {
    ReportPage.data(json, schema: Self.schema, command: identity.command)
  }
}
