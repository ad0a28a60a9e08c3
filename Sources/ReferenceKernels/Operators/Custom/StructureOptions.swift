// SPDX-License-Identifier: Apache-2.0

import ModelSchema

/// The options of MediaPipe's operators: the runtime's C structures as they lay in memory, 32-bit
/// numbers in little-endian order.
struct StructureOptions {
  private let fields: [Int32]

  /// The first `count` fields of a node's options.
  ///
  /// - Throws: `KernelError` where there are fewer.
  init(_ node: NodeDescription, count: Int) throws(KernelError) {
    let bytes = node.customOptions
    guard bytes.count >= 4 * count else {
      throw .invalid("\(bytes.count) bytes of options, wanted at least \(4 * count)")
    }
    fields = (0..<count).map { field in
      let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[4 * field + $1]) << UInt32(8 * $1) }
      return Int32(bitPattern: word)
    }
  }

  /// A field as a number.
  subscript(_ field: Int) -> Int { Int(fields[field]) }

  /// The first field: how images are padded.
  ///
  /// - Throws: `KernelError` for a number that stands for neither way.
  func padding() throws(KernelError) -> Padding {
    switch fields[0] {
    case 1: return .same
    case 2: return .valid
    case let other: throw .invalid("padding \(other), wanted 1 (SAME) or 2 (VALID)")
    }
  }

  /// A field that is a fused activation.
  ///
  /// - Throws: `KernelError` for a number that stands for none.
  func activation(_ field: Int) throws(KernelError) -> FusedActivation {
    switch fields[field] {
    case 0: return .none
    case 1: return .relu
    case 2: return .reluN1To1
    case 3: return .relu6
    case let other: throw .invalid("activation \(other), wanted 0 to 3")
    }
  }
}
