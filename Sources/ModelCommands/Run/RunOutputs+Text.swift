// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import Martlet
import ModelFormat
import Npy
import Tensors
import Traces

extension RunOutputs {
  /// The outputs for a reader: name, type, what values there are, and the first of them.
  var text: String {
    outputs.enumerated().map { position, output in
      var lines = ["output \(position)  \(output.info.label)  \(output.type)"]
      if let affine = output.type.quantization?.perTensor {
        lines[0] += "  scale \(affine.scale), zero point \(affine.zeroPoint)"
      }
      if let range = Self.range(output.array) { lines.append("  \(range)") }
      let shown = output.array.jsonValues(limit: 8).map(Self.text)
      let rest = output.array.shape.elementCount > shown.count ? " …" : ""
      lines.append("  [\(shown.joined(separator: ", "))\(rest)]")
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }

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
    var (count, sum) = (0, 0.0)
    var (least, most) = (Double.infinity, -Double.infinity)
    array.forEachPartOfRealNumbers { numbers in
      count += numbers.count
      for number in numbers {
        sum += number
        least = min(least, number)
        most = max(most, number)
      }
    }
    guard count > 8 else { return nil }
    let mean = sum / Double(count)
    return "min \(least.short())  max \(most.short())  mean \(mean.short())"
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
