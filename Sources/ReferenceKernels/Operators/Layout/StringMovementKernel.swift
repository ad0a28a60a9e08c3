// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Moves strings, which have no fixed size, by moving their numbers.
///
/// The strings of all inputs are numbered in order. The movement's own kernel for 32-bit units
/// moves the numbers, and the strings follow: so whatever moves elements moves strings.
package final class StringMovementKernel: Kernel {
  /// An operand's strings: their bytes, and where each lies.
  private struct Source {
    let bytes: TensorBytes
    let ranges: [Range<Int>]
    /// The number of the first one.
    let first: Int
  }

  /// The most strings of an output: their table takes a quarter of a gigabyte.
  private static let countLimit = 1 << 26

  private let sources: [Source]
  /// For each output, the numbers of its strings.
  package let numbers: [[UInt32]]
  private let headers: [[Int32]]

  /// Bytes of each output.
  package let outputByteCounts: [Int]

  /// The strings of `node` moved as `kernel` moves 32-bit units.
  ///
  /// - Throws: `KernelError` while an operand's values are not known, where a string operand is
  ///   damaged, and where the outputs have too many strings.
  package init(
    _ kernel: any Kernel, _ node: PrepareContext, outputs: [TensorType]
  ) throws(KernelError) {
    var sources: [Source] = []
    var inputs: [TensorBytes?] = []
    var count = 0
    for (position, operand) in node.inputs.enumerated() {
      guard let operand else {
        inputs.append(nil)
        continue
      }
      guard let bytes = operand.bytes else {
        throw KernelError(.valueNeeded(position), "value must be known first", .input(position))
      }
      guard operand.type.elementType == .string else {
        inputs.append(bytes)
        continue
      }
      let source = Source(
        bytes: bytes, ranges: try Self.ranges(bytes, operand.type, position), first: count)
      count += source.ranges.count
      inputs.append(TensorBytes(copying: (source.first..<count).map { UInt32($0) }))
      sources.append(source)
    }
    self.sources = sources
    numbers = try Self.moved(inputs, kernel, outputs)
    guard numbers.allSatisfy({ $0.allSatisfy { Int($0) < count } }) else {
      throw .invalid("a string that no input holds", .output(0))
    }
    var headers: [[Int32]] = []
    for numbers in numbers {
      let lengths = numbers.map { Self.location(of: Int($0), in: sources).range.count }
      do throws(StringTensor.Malformed) {
        headers.append(try StringTensor.header(lengths: lengths))
      } catch {
        throw .invalid(error.description, .output(headers.count))
      }
    }
    self.headers = headers
    outputByteCounts = headers.map { Int($0.last ?? 8) }
  }

  private static func ranges(
    _ bytes: TensorBytes, _ type: TensorType, _ position: Int
  ) throws(KernelError) -> [Range<Int>] {
    let ranges: [Range<Int>]
    do throws(StringTensor.Malformed) {
      ranges = try StringTensor.ranges(in: bytes.span(as: UInt8.self))
    } catch {
      throw .invalid(error.description, .input(position))
    }
    guard ranges.count == type.shape.elementCount else {
      throw .invalid("\(ranges.count) strings for the shape \(type.shape)", .input(position))
    }
    return ranges
  }

  private static func moved(
    _ inputs: [TensorBytes?], _ kernel: any Kernel, _ outputs: [TensorType]
  ) throws(KernelError) -> [[UInt32]] {
    for (position, output) in outputs.enumerated() where output.shape.elementCount > countLimit {
      throw .unsupported("more than \(countLimit) strings", .output(position))
    }
    let results = outputs.map { TensorBytes(zeroed: $0.shape.elementCount * 4) }
    let frame = TensorFrame(inputs: inputs, outputs: results)
    try kernel.evaluate(frame)
    return results.map { result in
      let span = result.span(as: UInt32.self)
      var numbers: [UInt32] = []
      numbers.reserveCapacity(span.count)
      for index in span.indices { numbers.append(span[index]) }
      return numbers
    }
  }

  private static func location(
    of number: Int, in sources: [Source]
  ) -> (bytes: TensorBytes, range: Range<Int>) {
    let source = sources.last { $0.first <= number } ?? sources[0]
    return (source.bytes, source.ranges[number - source.first])
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    for position in numbers.indices {
      var output = frame.output(position, as: UInt8.self)
      var target = 0
      for number in headers[position] {
        for shift in stride(from: Int32(0), to: 32, by: 8) {
          output[target] = UInt8(truncatingIfNeeded: number >> shift)
          target += 1
        }
      }
      for number in numbers[position] {
        let (bytes, range) = Self.location(of: Int(number), in: sources)
        let characters = bytes.span(as: UInt8.self)
        for index in range {
          output[target] = characters[index]
          target += 1
        }
      }
    }
  }
}
