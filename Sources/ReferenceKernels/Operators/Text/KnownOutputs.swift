// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// An output that is known when a node is prepared, because its shape follows from its values.
struct KnownOutput: Sendable {
  /// The values, as a tensor holds them.
  enum Values: Sendable {
    case strings([UInt8])
    case int32([Int32])
    case int64([Int64])
  }

  /// The values.
  let values: Values
  /// The number of elements.
  let count: Int
  /// What an element is, and where it comes from, for explanations.
  let name: String
  let text: String
  /// For each element, the flat index of the element of an input that it comes from.
  let sources: [Int32]?
  var input: Int

  /// An output of these values; `sources` are elements of `input`.
  init(
    _ values: Values, count: Int, _ name: String, _ text: String, sources: [Int32]? = nil,
    ofInput input: Int = 0
  ) {
    (self.values, self.count) = (values, count)
    (self.name, self.text) = (name, text)
    (self.sources, self.input) = (sources, input)
  }

  /// An output of strings.
  ///
  /// - Throws: `KernelError` where there are too many for a tensor.
  static func strings(
    _ strings: [ArraySlice<UInt8>], _ name: String, _ text: String, sources: [Int32]? = nil
  ) throws(KernelError) -> KnownOutput {
    KnownOutput(
      .strings(try [UInt8](stringTensor: strings)), count: strings.count, name, text,
      sources: sources)
  }

  /// An output of integers of the element type that the model declares for it.
  ///
  /// - Throws: `KernelError` for another type than `types`, and where a number does not fit.
  static func integers(
    _ integers: [Int], _ types: [ElementType], _ node: PrepareContext, at position: Int,
    _ name: String, _ text: String, sources: [Int32]? = nil
  ) throws(KernelError) -> KnownOutput {
    let type = try node.declaredOutput(position).elementType
    guard types.contains(type) else { throw .elementType(type, .output(position)) }
    let values: Values
    if type == .int64 {
      values = .int64(integers.map { Int64($0) })
    } else {
      var narrow: [Int32] = []
      narrow.reserveCapacity(integers.count)
      for integer in integers {
        guard let value = Int32(exactly: integer) else {
          throw .invalid("\(integer) does not fit 32 bits", .output(position))
        }
        narrow.append(value)
      }
      values = .int32(narrow)
    }
    return KnownOutput(values, count: integers.count, name, text, sources: sources)
  }

  fileprivate var byteCount: Int {
    switch values {
    case .strings(let bytes): bytes.count
    case .int32(let values): 4 * values.count
    case .int64(let values): 8 * values.count
    }
  }
}

extension Prepared {
  /// A node whose outputs have these types and are known.
  init(_ types: [TensorType], known outputs: [KnownOutput]) {
    self.init(outputs: types, kernel: LoopKernel(KnownOutputsLoop(outputs: outputs)))
    outputByteCounts = outputs.map(\.byteCount)
    heldByteCount = outputByteCounts.reduce(0, +)
  }
}

/// Writes outputs that are known when a node is prepared.
package struct KnownOutputsLoop: SteppedLoop {
  let outputs: [KnownOutput]

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    for (position, output) in outputs.enumerated() {
      switch output.values {
      case .strings(let bytes):
        var target = frame.output(position, as: UInt8.self)
        for index in target.indices { target[index] = bytes[index] }
        if steps.areTold { try tell(bytes, output, position, &steps) }
      case .int32(let values): write(values, output, position, frame, &steps)
      case .int64(let values): write(values, output, position, frame, &steps)
      }
    }
  }

  private func write<Element: TensorElement>(
    _ values: [Element], _ output: KnownOutput, _ position: Int, _ frame: borrowing TensorFrame,
    _ steps: inout some Steps
  ) {
    var target = frame.output(position, as: Element.self)
    for index in target.indices {
      about(index, output, position, &steps)
      target[index] = steps.note(output.name, output.text, element: values[index])
    }
  }

  private func tell(
    _ bytes: [UInt8], _ output: KnownOutput, _ position: Int, _ steps: inout some Steps
  ) throws(KernelError) {
    let ranges: [Range<Int>]
    do throws(StringTensor.Malformed) { ranges = try StringTensor.ranges(in: bytes.span) } catch {
      throw .invalid(error.description, .output(position))
    }
    for (index, range) in ranges.enumerated() {
      about(index, output, position, &steps)
      steps.note(output.name, output.text, string: Array(bytes[range]))
    }
  }

  @inline(__always)
  private func about(
    _ index: Int, _ output: KnownOutput, _ position: Int, _ steps: inout some Steps
  ) {
    steps.about(index, ofOutputs: position...position)
    if let sources = output.sources {
      steps.read(element: Int(sources[index]), ofInput: output.input)
    }
  }
}
