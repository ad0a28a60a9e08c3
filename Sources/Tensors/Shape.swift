// SPDX-License-Identifier: Apache-2.0

/// The dimensions of a tensor, outermost first; always non-negative, with a product that fits.
public struct Shape: Sendable, Hashable {
  /// Lengths along each axis, outermost first.
  public let dimensions: [Int]

  /// The product of the dimensions; 1 for rank 0.
  public let elementCount: Int

  /// The largest product of non-zero dimensions that a shape may have.
  public static let elementLimit = Int.bitWidth > 32 ? 1 << 40 : 1 << 28

  /// The most axes that a shape may have.
  public static let rankLimit = 64

  /// A shape with these dimensions.
  ///
  /// Zero dimensions do not count in the limit's product: `[0, 2^39, 2^39]` is refused, so that
  /// strides over any shape can be computed without overflow.
  ///
  /// - Throws: `ShapeError` for a negative dimension, for more than `rankLimit` axes, or when the
  ///   product exceeds `elementLimit`.
  public init(_ dimensions: [Int]) throws(ShapeError) {
    guard dimensions.count <= Self.rankLimit else {
      throw ShapeError("rank \(dimensions.count) exceeds \(Self.rankLimit)")
    }
    var product = 1
    for length in dimensions {
      guard length >= 0 else { throw ShapeError("negative dimension \(length) in \(dimensions)") }
      guard length <= Self.elementLimit / product else {
        throw ShapeError("too many elements in \(dimensions)")
      }
      product *= max(length, 1)
    }
    self.dimensions = dimensions
    elementCount = dimensions.contains(0) ? 0 : product
  }

  private init(unchecked dimensions: [Int], elementCount: Int) {
    self.dimensions = dimensions
    self.elementCount = elementCount
  }

  /// The shape of a scalar: rank 0, one element.
  public static let scalar = Shape(unchecked: [], elementCount: 1)

  /// The number of axes.
  public var rank: Int { dimensions.count }

  /// The length along `axis`.
  public subscript(axis: Int) -> Int { dimensions[axis] }

  /// How many elements apart neighbors along each axis lie in row-major order.
  public var strides: [Int] {
    var strides = dimensions
    var step = 1
    for axis in dimensions.indices.reversed() {
      strides[axis] = step
      step *= max(dimensions[axis], 1)
    }
    return strides
  }
}

extension Shape: ExpressibleByArrayLiteral {
  /// A shape written out in source; traps where `init(_:)` would throw.
  public init(arrayLiteral elements: Int...) {
    var product = 1
    for length in elements { product *= length }
    precondition(elements.allSatisfy { $0 >= 0 }, "negative dimension in \(elements)")
    self.init(unchecked: elements, elementCount: product)
  }
}

extension Shape: CustomStringConvertible {
  /// The dimensions joined by `x`, as in `1x224x224x3`; `scalar` for rank 0.
  public var description: String {
    dimensions.isEmpty ? "scalar" : dimensions.map(String.init).joined(separator: "x")
  }
}

/// Why dimensions do not form a shape.
public struct ShapeError: Error, Equatable, CustomStringConvertible {
  /// The reason, for a reader.
  public let description: String

  init(_ description: String) { self.description = description }
}
