// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Martlet

/// What a model takes and gives: the element types and dimensions of its inputs and outputs.
public final class ModelInputOutputOptions: NSObject {
  /// The type and shape of one input or output.
  struct Format {
    let type: ModelElementType
    let shape: Shape

    /// The bytes of all elements.
    var byteCount: Int { type.elementType?.byteCount(of: shape.elementCount) ?? 0 }
  }

  var inputs: [UInt: Format] = [:]
  var outputs: [UInt: Format] = [:]

  /// No formats.
  public override init() {}

  /// Says what an input is; a format that was given before is replaced.
  ///
  /// - Parameters:
  ///   - index: which input.
  ///   - type: what one element is.
  ///   - dimensions: the lengths along each axis, outermost first, each a whole number above 0.
  /// - Throws: `NSError` of code `invalidArgument` for an unknown type, no dimensions, or one that
  ///   is not a whole number above 0.
  public func setInputFormat(
    index: UInt, type: ModelElementType, dimensions: [NSNumber]
  ) throws {
    inputs[index] = try Self.format("input", index, type, dimensions)
  }

  /// Says what an output is; a format that was given before is replaced.
  ///
  /// - Parameters:
  ///   - index: which output.
  ///   - type: what one element is.
  ///   - dimensions: the lengths along each axis, outermost first, each a whole number above 0.
  /// - Throws: `NSError` of code `invalidArgument` for an unknown type, no dimensions, or one that
  ///   is not a whole number above 0.
  public func setOutputFormat(
    index: UInt, type: ModelElementType, dimensions: [NSNumber]
  ) throws {
    outputs[index] = try Self.format("output", index, type, dimensions)
  }

  private static func format(
    _ side: String, _ index: UInt, _ type: ModelElementType, _ dimensions: [NSNumber]
  ) throws(NSError) -> Format {
    func refusal(_ reason: String) -> NSError {
      Generation.firebase.error(.invalidArgument, "Format of \(side) \(index): \(reason).")
    }
    guard type != .unknown else { throw refusal("the element type is unknown") }
    guard !dimensions.isEmpty else { throw refusal("there are no dimensions") }
    var lengths: [Int] = []
    for dimension in dimensions {
      // Guides make dimensions of Double as well as of Int.
      guard let length = Int(exactly: dimension.doubleValue), length > 0 else {
        throw refusal("\(dimension) is no whole number above 0")
      }
      lengths.append(length)
    }
    do throws(ShapeError) {
      return Format(type: type, shape: try Shape(lengths))
    } catch {
      throw refusal("\(error)")
    }
  }
}
