// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The values of a model's inputs, one after the other.
public final class ModelInputs: NSObject {
  /// The values of one input.
  enum Value {
    /// Little-endian elements, row by row.
    case bytes(Data)
    /// Numbers in nested arrays, flattened, and the lengths of the arrays.
    case numbers([NSNumber], dimensions: [Int])
    /// Something that is not rectangular or has other things than numbers in it.
    case malformed(String)
  }

  var values: [Value] = []

  /// No inputs.
  public override init() {}

  /// Adds the values of the next input, from 0.
  ///
  /// - Parameter input: the elements as `Data` or `NSData`, little-endian and row by row; or
  ///   numbers in an array, or in arrays of arrays with one level for each dimension.
  /// - Throws: `NSError` of code `invalidArgument` where it is neither.
  public func addInput(_ input: Any) throws {
    if let data = input as? Data {
      values.append(.bytes(data))
    } else if let array = input as? [Any] {
      values.append(NestedNumbers.value(array))
    } else {
      throw Generation.firebase.error(
        .invalidArgument, "Input \(values.count) is neither data nor an array of numbers.")
    }
  }
}

/// Numbers in arrays of arrays.
private struct NestedNumbers {
  private var numbers: [NSNumber] = []
  private var dimensions: [Int] = []

  private static let depthLimit = 16

  static func value(_ array: [Any]) -> ModelInputs.Value {
    var reader = NestedNumbers()
    if let problem = reader.read(array, depth: 0) { return .malformed(problem) }
    return .numbers(reader.numbers, dimensions: reader.dimensions)
  }

  /// Appends the numbers of an array; says what is wrong with it.
  private mutating func read(_ array: [Any], depth: Int) -> String? {
    guard depth < Self.depthLimit else { return "more than \(Self.depthLimit) levels of arrays" }
    if depth == dimensions.count {
      guard numbers.isEmpty else { return "numbers and arrays on one level" }
      dimensions.append(array.count)
    }
    guard dimensions[depth] == array.count else {
      return "arrays of \(dimensions[depth]) and of \(array.count) elements on one level"
    }
    for element in array {
      if let number = Self.number(element) {
        guard depth == dimensions.count - 1 else { return "numbers and arrays on one level" }
        numbers.append(number)
      } else if let nested = element as? [Any] {
        if let problem = read(nested, depth: depth + 1) { return problem }
      } else {
        return "an element that is no number"
      }
    }
    return nil
  }

  /// Swift's own numbers count as well.
  private static func number(_ element: Any) -> NSNumber? {
    switch element {
    case let number as NSNumber: number
    case let number as Float: NSNumber(value: number)
    case let number as Double: NSNumber(value: number)
    case let number as Int: NSNumber(value: number)
    case let number as UInt8: NSNumber(value: number)
    case let number as Int32: NSNumber(value: number)
    case let number as Int64: NSNumber(value: number)
    case _: nil
    }
  }
}
