// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A reduction that only notes what goes into a result.
private struct ReductionRecorder: ReductionArithmetic {
  let log: ElementLog

  var empty: [Int]? { log.begin() }

  func first(_ element: UInt32, _ steps: inout some Steps) -> [Int]? {
    var list = empty
    combine(&list, element, &steps)
    return list
  }

  func combine(_ list: inout [Int]?, _ element: UInt32, _ steps: inout some Steps) {
    list?.append(Int(element))
  }

  func finish(_ list: [Int]?, _ steps: inout some Steps) -> UInt32 {
    log.end(list)
    return 0
  }
}

extension ReductionLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    let log = ElementLog(wanted: output.flat)
    let recorder = ReductionRecorder(log: log)
    // Lists must begin with the result of no elements, which is asked for once for each output.
    try ReductionLoop<ReductionRecorder>(recorder, axes, startsFromFirst: false)
      .evaluate(node.indexFrame())
    guard let indices = log.record else { return nil }
    let elements = indices.compactMap { node.value(0, $0, as: Arithmetic.Input.self) }
    guard elements.count == indices.count else { return nil }
    return .init(node.terms(indices)) { steps in
      arithmetic.reduce(elements, startsFromFirst: startsFromFirst, &steps)
    }
  }
}

extension ReductionArithmetic {
  /// What elements come to, one after the other.
  func reduce(
    _ elements: [Input], startsFromFirst: Bool, _ steps: inout StepList
  ) -> Output {
    var state = empty
    for (position, element) in elements.enumerated() {
      if position == 0, startsFromFirst {
        state = first(element, &steps)
      } else {
        combine(&state, element, &steps)
      }
    }
    return finish(state, &steps)
  }
}

extension WindowReductionLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    guard let count = node.shape(0)?.elementCount else { return nil }
    let log = ElementLog(wanted: output.flat)
    let stride = MemoryLayout<UInt32>.stride
    // The start, input 1, is numbered behind the elements.
    let frame = TensorFrame(
      inputs: [
        .indices(count: count), TensorBytes(copying: [UInt32(truncatingIfNeeded: count)]),
      ],
      outputs: [TensorBytes(zeroed: node.outputs[0].tensor.type.shape.elementCount * stride)],
      scratch: reduction.padding.map { [TensorBytes(zeroed: $0.shape.elementCount * stride)] }
        ?? [])
    try WindowReductionLoop<ReductionRecorder>(ReductionRecorder(log: log), reduction)
      .evaluate(frame)
    guard let indices = log.record else { return nil }
    let sources = indices.map { $0 < count ? (input: 0, flat: $0) : (input: 1, flat: 0) }
    let elements = sources.compactMap { node.value($0, $1, as: Arithmetic.Input.self) }
    guard elements.count == indices.count else { return nil }
    var steps = StepList()
    let result = arithmetic.reduce(elements, startsFromFirst: true, &steps)
    return NodeDerivation(
      terms: sources.compactMap { node.term($0, $1) }, steps: steps,
      result: node.stored(result, as: output))
  }
}
