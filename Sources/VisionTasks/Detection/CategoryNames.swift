// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import ModelTasks
import Tensors

/// The names of a detector's classes, and which of them are wanted.
package struct CategoryNames {
  let labels: LabelMap?
  private let offset: Int
  private let allowed: Set<String>
  private let denied: Set<String>

  /// The names in the options, or else in the model's metadata.
  init(_ notes: ModelNotes, _ options: ObjectDetector.Options) throws(VisionError) {
    var labels = options.labels
    if labels == nil { labels = try Self.labels(notes, locale: options.locale) }
    self.init(
      labels, offset: options.labelOffset, allowed: options.allowedLabels,
      denied: options.deniedLabels)
  }

  /// Names by label and offset; see `ObjectDetector.Options`.
  package init(
    _ labels: LabelMap?, offset: Int?, allowed: Set<String> = [], denied: Set<String> = []
  ) {
    self.labels = labels
    let first = labels?.className(0).lowercased() ?? ""
    let isBackground = ["???", "background", "__background__"].contains(first)
    self.offset = offset ?? (isBackground ? 1 : 0)
    self.allowed = allowed
    self.denied = denied
  }

  /// How many names the model's metadata has; nil for none.
  static func labelCount(_ notes: ModelNotes) throws(VisionError) -> Int? {
    try labels(notes, locale: "")?.count
  }

  private static func labels(
    _ notes: ModelNotes, locale: String
  ) throws(VisionError) -> LabelMap? {
    for kind in [AssociatedFile.Kind.tensorValueLabels, .tensorAxisLabels] {
      for output in notes.outputs ?? [] {
        let labels = try VisionError.converting { () throws(TaskError) in
          try notes.labels(output, kind, locale: locale)
        }
        guard let labels else { continue }
        let text = labels.classNames.joined(separator: "\n")
        guard let names = UltralyticsNotes.names(Array(text.utf8)) else { return labels }
        return LabelMap(classNames: names)
      }
    }
    return notes.ultralytics.map { LabelMap(classNames: $0.classNames) }
  }

  /// Whether there are any names.
  var areKnown: Bool { labels != nil }

  /// The class that the model calls `index`; its name is empty where there is no label.
  package func category(_ index: Int) -> DetectedObject.Category {
    let (location, overflows) = index.addingReportingOverflow(offset)
    guard !overflows else { return DetectedObject.Category(index: index) }
    return DetectedObject.Category(
      index: index, className: labels?.className(location) ?? "",
      displayName: labels?.displayName(location))
  }

  /// Whether objects of the class that the model calls `index` are reported.
  package func areWanted(_ index: Int) -> Bool {
    guard !allowed.isEmpty || !denied.isEmpty else { return true }
    let name = category(index).className
    return (allowed.isEmpty || allowed.contains(name)) && !denied.contains(name)
  }
}

extension Model {
  /// Whether the detections are all of one class, which then says nothing.
  var detectsOneClass: Bool {
    guard let subgraph = file.subgraphs.first else { return false }
    return subgraph.nodes.contains { node in
      guard node.identity.customName == "TFLite_Detection_PostProcess", node.inputs.count > 1,
        subgraph.tensors.indices.contains(node.inputs[1])
      else { return false }
      return subgraph.tensors[node.inputs[1]].type.shape.dimensions.last == 1
    }
  }
}
