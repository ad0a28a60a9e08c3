// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Synchronization
import Tensors

/// An arithmetic that multiplies nothing: it notes which elements meet in one output.
///
/// The operands hold their own flat indices. So the loops of a kernel tell what they read, in
/// their order, and nothing about them has to be written a second time.
struct TapRecorder: ConvolutionArithmetic {
  /// What one output is made of.
  struct Record {
    /// The output channel.
    let channel: Int
    /// Activations and weights that are multiplied, by flat index.
    let taps: [Tap]
    /// The flat index of the bias; nil without one.
    let bias: Int?
  }

  /// An activation and a weight.
  struct Tap {
    let input: Int
    let filter: Int
  }

  /// The taps of an output; nil for outputs that nobody asked about.
  struct Taps {
    fileprivate var list: [Tap]?
  }

  private final class Log: Sendable {
    let startedCount = Mutex(0)
    let record = Mutex<Record?>(nil)
  }

  private let wanted: Int
  private let log = Log()

  /// A recorder of the output that is computed as number `wanted`, from 0.
  init(wanted: Int) { self.wanted = wanted }

  /// What the wanted output is made of; nil where it was not computed.
  var record: Record? { log.record.withLock { $0 } }

  func start(channel: Int) -> Taps {
    let number = log.startedCount.withLock { count in
      defer { count += 1 }
      return count
    }
    return Taps(list: number == wanted ? [] : nil)
  }

  func accumulate(
    _ taps: inout Taps, _ input: UInt32, _ filter: UInt32, _ steps: inout some Steps
  ) {
    taps.list?.append(Tap(input: Int(input), filter: Int(filter)))
  }

  func finish(
    _ taps: Taps, bias: UInt32?, channel: Int, _ steps: inout some Steps
  ) -> UInt8 {
    if let list = taps.list {
      log.record.withLock { record in
        record = Record(channel: channel, taps: list, bias: bias.map { Int($0) })
      }
    }
    return 0
  }
}

extension ConvolutionNest {
  /// What the output at a flat index is made of; activations are counted within its image.
  func record(
    of output: Int, in node: EvaluatedNode
  ) throws(KernelError) -> (batch: Int, TapRecorder.Record)? {
    let positions = Self.positions
    let outputCount = node.outputs[0].tensor.type.shape.elementCount
    guard batchCount > 0, outputCount >= batchCount else { return nil }
    let imageCount = outputCount / batchCount
    let batch = output / imageCount
    let recorder = TapRecorder(wanted: output % imageCount)
    func indices(_ position: Int) -> TensorBytes {
      .indices(count: node.input(position)?.tensor.type.shape.elementCount ?? 0)
    }
    let activations = TensorBytes.indices(count: inputCount)
    let (filter, bias) = (indices(positions.filter), indices(positions.bias))
    let outputs = TensorBytes(zeroed: outputCount)
    var results = outputs.mutableSpan(as: UInt8.self)
    var meter = WorkMeter()
    try run(
      recorder, batch: batch, input: activations.span(as: UInt32.self),
      filter: filter.span(as: UInt32.self), bias: bias.span(as: UInt32.self), output: &results,
      &meter)
    return recorder.record.map { (batch, $0) }
  }
}
