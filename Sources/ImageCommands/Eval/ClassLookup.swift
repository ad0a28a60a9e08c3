// SPDX-License-Identifier: Apache-2.0

import VisionTasks

/// Finds the classes of a model by what others call them.
struct ClassLookup {
  private let classCount: Int
  private let labels: LabelMap?
  private var indices: [String: [Int]] = [:]

  /// The classes of a model with these labels.
  init(_ labels: LabelMap?, classCount: Int) {
    self.classCount = classCount
    self.labels = labels
    for (index, name) in (labels?.classNames ?? []).prefix(classCount).enumerated() {
      var names: Set = [name]
      if let display = labels?.displayName(index) { names.insert(display) }
      for name in names where !name.isEmpty { indices[name, default: []].append(index) }
    }
  }

  /// The class that is called `label`, or has this number where none is called so.
  ///
  /// - Parameters:
  ///   - label: a class name, a display name or a number.
  ///   - location: where it is written, for errors.
  /// - Returns: the number of the class.
  /// - Throws: `CommandError.data` where there is none, or where several have the name.
  func index(of label: String, location: String) throws(CommandError) -> Int {
    let found = indices[label] ?? []
    guard found.count < 2 else {
      let numbers = found.map { "\($0)" }.joined(separator: ", ")
      throw .data(
        "classes \(numbers) are all called '\(label)'", location: location,
        hint: "the number of the class, instead of its name, tells which is meant")
    }
    if let index = found.first { return index }
    if let index = Int(label), (0..<classCount).contains(index) { return index }
    throw .data(
      "the model has no class '\(label)'", location: location,
      hint: Suggestion.hint(for: label, among: indices.keys.sorted())
        ?? (indices.isEmpty ? "it has no labels, but classes 0 to \(classCount - 1)" : nil))
  }

  /// What a class is called in reports; nil is no class.
  func name(_ index: Int?) -> String {
    guard let index else { return "(none)" }
    let name = labels?.className(index) ?? ""
    return name.isEmpty ? "class \(index)" : name
  }
}
