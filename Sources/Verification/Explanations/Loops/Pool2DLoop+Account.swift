// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Synchronization
import Tensors

/// What pooling makes of a window, step by step.
protocol ExplainedPooling: PoolArithmetic {
  /// The steps from the window's elements to the stored value.
  func explain(_ elements: [Element], _ steps: inout StepList) -> StoredValue
}

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

  func accumulate(_ list: inout [Int]?, _ element: UInt32) { list?.append(Int(element)) }

  func finish(_ list: [Int]?, count: Int) -> UInt32 {
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
  func terms(_ indices: [Int]) -> [ExplainedTerm] { indices.compactMap { term(0, $0) } }
}

extension Pool2DLoop: ExplainableLoop where Arithmetic: ExplainedPooling {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let log = ElementLog(wanted: output.flat)
    try Pool2DLoop<WindowRecorder>(WindowRecorder(log: log), nest).evaluate(node.indexFrame())
    guard let indices = log.record else { return nil }
    let elements = indices.compactMap { node.value(0, $0, as: Arithmetic.Element.self) }
    guard elements.count == indices.count else { return nil }
    var steps = StepList()
    let result = arithmetic.explain(elements, &steps)
    return NodeAccount(terms: node.terms(indices), steps: steps, result: result)
  }
}

extension FloatAverage: ExplainedPooling {
  func explain(_ elements: [Float], _ steps: inout StepList) -> StoredValue {
    let sum = steps.sum(elements.map { .float($0) }, of: "elements")
    let mean = steps.add(
      "mean", "\(sum) / \(elements.count)", float: sum / Float(elements.count))
    return .float(steps.clamp(mean, range))
  }
}

extension FloatMaximum: ExplainedPooling {
  func explain(_ elements: [Float], _ steps: inout StepList) -> StoredValue {
    // Comparisons leave NaN out.
    let largest = elements.reduce(-Float.greatestFiniteMagnitude) { $1 > $0 ? $1 : $0 }
    return .float(
      steps.clamp(steps.add("maximum", "of \(elements.count) elements", float: largest), range))
  }
}

extension RootMeanSquare: ExplainedPooling {
  func explain(_ elements: [Float], _ steps: inout StepList) -> StoredValue {
    let sum = steps.sum(elements.map { .float($0 * $0) }, of: "squares")
    let mean = steps.add(
      "mean", "\(sum) / \(elements.count)", float: sum / Float(elements.count))
    let root = steps.add("square root", "of \(mean)", float: mean.squareRoot())
    return .float(steps.clamp(root, range))
  }
}

extension CodeAverage: ExplainedPooling {
  func explain(_ elements: [Element], _ steps: inout StepList) -> StoredValue {
    let sum = steps.add(
      "sum", "of \(elements.count) codes", integer: elements.reduce(0) { $0 &+ Int($1) })
    let magnitude = (sum.magnitude + UInt(elements.count / 2)) / UInt(elements.count)
    let mean = steps.add(
      "mean", "round(\(sum) / \(elements.count)), halves away from zero",
      integer: Int32(clamping: sum < 0 ? -Int(magnitude) : Int(magnitude)))
    return steps.store(steps.clamp(mean, range), as: Element.self)
  }
}

extension CodeMaximum: ExplainedPooling {
  func explain(_ elements: [Element], _ steps: inout StepList) -> StoredValue {
    let largest = steps.add(
      "maximum", "of \(elements.count) codes", integer: elements.max() ?? .min)
    return steps.store(steps.clamp(Int32(clamping: largest), range), as: Element.self)
  }
}
