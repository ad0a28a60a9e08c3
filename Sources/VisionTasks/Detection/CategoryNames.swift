// SPDX-License-Identifier: Apache-2.0

import ModelFormat

/// The names of a detector's classes, and which of them are wanted.
package struct CategoryNames {
  private let labels: LabelMap?
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

  private static func labels(
    _ notes: ModelNotes, locale: String
  ) throws(VisionError) -> LabelMap? {
    for kind in [AssociatedFile.Kind.tensorValueLabels, .tensorAxisLabels] {
      for output in notes.outputs ?? [] {
        if let labels = try notes.labels(output, kind, locale: locale) { return labels }
      }
    }
    return nil
  }

  /// The class that the model calls `index`; its name is empty where there is no label.
  package func category(_ index: Int) -> DetectedObject.Category {
    let (place, overflows) = index.addingReportingOverflow(offset)
    guard !overflows else { return DetectedObject.Category(index: index) }
    return DetectedObject.Category(
      index: index, className: labels?.className(place) ?? "",
      displayName: labels?.displayName(place))
  }

  /// Whether objects of the class that the model calls `index` are reported.
  package func areWanted(_ index: Int) -> Bool {
    guard !allowed.isEmpty || !denied.isEmpty else { return true }
    let name = category(index).className
    return (allowed.isEmpty || allowed.contains(name)) && !denied.contains(name)
  }
}
