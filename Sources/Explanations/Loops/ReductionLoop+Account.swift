// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A reduction that only notes what goes into a result.
private struct ReductionRecorder: ReductionArithmetic {
  let log: ElementLog

  var empty: [Int]? { log.begin() }

  func first(_ element: UInt32, _ steps: inout some Steps) -> [Int]? { [Int(element)] }

  func combine(_ list: inout [Int]?, _ element: UInt32, _ steps: inout some Steps) {
    list?.append(Int(element))
  }

  func finish(_ list: [Int]?, _ steps: inout some Steps) -> UInt32 {
    log.end(list)
    return 0
  }
}

extension ReductionLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
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

extension SegmentLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let ids = node.values(1, as: Int32.self), segments.sliceLength > 0 else { return nil }
    let (segment, offset) = output.flat.quotientAndRemainder(dividingBy: segments.sliceLength)
    let slices = ids.indices.filter { Int(ids[$0]) == segment }
    let indices = slices.map { $0 * segments.sliceLength + offset }
    let elements = indices.compactMap { node.value(0, $0, as: Arithmetic.Input.self) }
    return .init(node.terms(indices)) { steps in
      steps.note(
        "segment", "slices \(slices) have the number \(segment)", slices.count)
      return arithmetic.reduce(elements, startsFromFirst: false, &steps)
    }
  }
}
