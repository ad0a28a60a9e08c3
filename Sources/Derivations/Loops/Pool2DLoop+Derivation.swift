// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Synchronization
import Tensors

/// Notes which elements one output is made of.
final class ElementLog: Sendable {
  private let wanted: Int
  private let startedCount = Mutex(0)
  private let elements = Mutex<[Int]?>(nil)

  /// A log of the output that is computed as number `wanted`, from 0.
  init(wanted: Int) { self.wanted = wanted }

  /// The elements of the wanted output by flat index; nil where it was not computed.
  var record: [Int]? { elements.withLock { $0 } }

  /// An empty list for the wanted output, nil for others; outputs begin in order.
  func begin() -> [Int]? {
    let number = startedCount.withLock { count in
      defer { count += 1 }
      return count
    }
    return number == wanted ? [] : nil
  }

  /// Keeps the list of the wanted output.
  func end(_ list: [Int]?) {
    if let list { elements.withLock { $0 = list } }
  }
}

/// A pooling that only notes what lies in a window.
private struct WindowRecorder: PoolArithmetic {
  let log: ElementLog

  var start: [Int]? { log.begin() }

  func accumulate(_ list: inout [Int]?, _ element: UInt32, _ steps: inout some Steps) {
    list?.append(Int(element))
  }

  func finish(_ list: [Int]?, count: Int, _ steps: inout some Steps) -> UInt32 {
    log.end(list)
    return 0
  }
}

extension EvaluatedNode {
  /// A frame with input 0 holding its own flat indices, for a loop that notes what it reads.
  func indexFrame() -> TensorFrame {
    TensorFrame(
      inputs: [.indices(count: input(0)?.tensor.type.shape.elementCount ?? 0)],
      outputs: [
        TensorBytes(
          zeroed: outputs[0].tensor.type.shape.elementCount * MemoryLayout<UInt32>.stride)
      ])
  }

  /// The elements of input 0 at these flat indices, each a term.
  package func terms(_ indices: [Int]) -> [ExplainedTerm] { indices.compactMap { term(0, $0) } }
}

extension Pool2DLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    let log = ElementLog(wanted: output.flat)
    try Pool2DLoop<WindowRecorder>(WindowRecorder(log: log), nest).evaluate(node.indexFrame())
    guard let indices = log.record else { return nil }
    let elements = indices.compactMap { node.value(0, $0, as: Arithmetic.Element.self) }
    guard elements.count == indices.count else { return nil }
    return .init(node.terms(indices)) { steps in
      var state = arithmetic.start
      for element in elements { arithmetic.accumulate(&state, element, &steps) }
      return arithmetic.finish(state, count: elements.count, &steps)
    }
  }
}
