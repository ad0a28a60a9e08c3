// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import Martlet
import ModelFormat
import Npy
import Tensors
import Traces
import VisionTasks

extension RunOutputs {
  /// The outputs for a reader, at most `listedOutputs` of them.
  var text: String {
    let rest = outputs.count - Self.listedOutputs
    let lines = rest > 0 ? ["… and \(rest) more outputs: --output-dir stores them all"] : []
    return (listed.enumerated().map(Self.text) + lines).joined(separator: "\n")
  }

  /// How many outputs a reader sees.
  private static let listedOutputs = 1000

  /// The outputs that a reader sees.
  var listed: ArraySlice<Output> { outputs.prefix(Self.listedOutputs) }

  /// Name, type, what values there are, and the first of them.
  private static func text(_ position: Int, _ output: Output) -> String {
    let quantization = output.type.quantization?.perTensor.map {
      "  scale \($0.scale), zero point \($0.zeroPoint)"
    }
    let label = output.info.label
    var lines = [
      "output \(position)" + (label.isEmpty ? "" : "  \(label)"),
      "  \(output.type)\(quantization ?? "")".narrow,
    ]
    if let best = Self.largest(output) {
      if output.labels == nil, let range = Self.range(output.array) { lines.append("  \(range)") }
      return (lines + [best]).joined(separator: "\n")
    }
    if let range = Self.range(output.array) { lines.append("  \(range)") }
    let shown = output.array.jsonValues(limit: Self.valueCount).map(Self.text)
    let rest = output.array.shape.elementCount > shown.count ? " …" : ""
    lines.append(
      "  [\(shown.joined(separator: ", "))\(rest)]"
        .wrapped(to: String.narrowLineLength, indentation: 3))
    return lines.joined(separator: "\n")
  }

  /// The largest elements of an output that is a list, by the names of their classes if there are
  /// names; nil for other outputs.
  private static func largest(_ output: Output) -> String? {
    guard let count = output.classCount else { return nil }
    let scores = output.scores
    guard scores.count == count else { return nil }
    let best = largest(bestCount, of: scores)
    let rows = best.map { index, score in
      let labels = output.labels
      let name = labels?.displayName(index) ?? labels?.className(index) ?? ""
      return ["  \(name.isEmpty ? "element \(index)" : name.printable)", score.fixed(4)]
    }
    let rest = count - best.count
    return TextTable(rows, shortening: [0]).text + (rest > 0 ? "\n  … and \(rest) more" : "")
  }

  /// The `count` largest scores with their positions, largest first and equal ones in order.
  private static func largest(_ count: Int, of scores: [Double]) -> [(index: Int, score: Double)] {
    var best: [(index: Int, score: Double)] = []
    for (index, score) in scores.enumerated() {
      if best.count == count, let least = best.last, score <= least.score { continue }
      let position = best.firstIndex { $0.score < score } ?? best.count
      best.insert((index, score), at: position)
      if best.count > count { best.removeLast() }
    }
    return best
  }

  /// How many values are shown of an output, and how many classes.
  fileprivate static let (valueCount, bestCount) = (8, 5)

  /// The outputs for a program: with their values, or the files that hold them.
  func json(folder: String?) -> JSON {
    .array(
      outputs.enumerated().map { position, output in
        JSON.record([
          "name": .string(output.info.name),
          "argument": output.info.argument.map { .string($0) },
        ]).adding(output.type.json).adding([
          "file": folder.map { .string("\($0)/out_\(position).npy") },
          "values": folder == nil ? .array(output.array.jsonValues(limit: .max)) : nil,
        ])
      })
  }

  /// Smallest, largest and mean value, where there are numbers enough to ask.
  private static func range(_ array: NpyArray) -> String? {
    guard let range = array.realRange, range.count > valueCount else { return nil }
    let (least, most, mean) = (range.least.short(), range.most.short(), range.mean.short())
    return "min \(least)  max \(most)  mean \(mean)"
  }

  private static func text(_ value: JSON) -> String {
    switch value {
    case .string(let string): "\"\(string.printable)\""
    case .number(let number): number.short()
    case .float(let float): Double(float).short()
    case .null, .bool, .integer, .array, .object: value.compactText
    }
  }
}

extension RunOutputs.Output {
  /// The elements as real numbers, dequantized; none for an output that holds no real numbers, or
  /// NaN.
  var scores: [Double] {
    let numbers = array.realNumbers
    guard let affine = type.quantization?.perTensor else { return numbers }
    return numbers.map { ($0 - Double(affine.zeroPoint)) * Double(affine.scale) }
  }

  /// Elements that a list of classes may have: longer ones take long to look through.
  private static let mostClasses = 1_000_000

  /// The elements of an output that may be a list of classes: as many as there are names, or, without
  /// names, more than are shown of other outputs and not too many; nil for other outputs.
  fileprivate var classCount: Int? {
    let sides = type.shape.dimensions
    guard [2, 4].contains(sides.count), sides.dropLast().allSatisfy({ $0 == 1 }),
      let count = sides.last, count <= Self.mostClasses
    else { return nil }
    let isList = labels.map { $0.count == count } ?? (count > RunOutputs.valueCount)
    return isList ? count : nil
  }

  /// Whether the output is a list of probabilities of classes without names.
  var seemsToBeClasses: Bool {
    guard labels == nil, let count = classCount else { return false }
    let scores = scores
    return scores.count == count && scores.allSatisfy { (-0.001...1.001).contains($0) }
      && abs(scores.reduce(0, +) - 1) < 0.05
  }
}
