// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import ReferenceKernels
import Tensors

/// A run of a model that nobody vouches for, by both sets of kernels.
struct ModelRun {
  /// Multiplications and elements that a run may take: it shall end within a second.
  private static let workLimit = 4_000_000

  private let model: Model

  /// The model in `bytes`.
  init(_ bytes: [UInt8]) throws { model = try Model(bytes: bytes) }

  /// Runs the model on zeros and traps where integers differ between the sets of kernels.
  func compare() throws {
    guard let reference = try outputs(.reference), let optimized = try outputs(.optimized) else {
      return
    }
    for (index, (wanted, found)) in zip(reference, optimized).enumerated()
    where wanted.isInteger && found.isInteger {
      precondition(wanted.bytes == found.bytes, "output \(index) depends on the kernels")
    }
  }

  private struct Output {
    let isInteger: Bool
    let bytes: [UInt8]
  }

  /// The outputs of a run; nil where it would take too long.
  private func outputs(_ kernels: KernelSet) throws -> [Output]? {
    var options = Interpreter.Options()
    options.kernels = kernels
    options.limits = Limits(
      tensorByteCount: 1 << 23, stringByteCount: 1 << 23, arenaByteCount: 1 << 24,
      nodeOperationCount: Self.workLimit, callCount: 50)
    let interpreter = try Interpreter(model, options: options)
    try interpreter.prepare()
    guard isQuick(interpreter) else { return nil }
    try interpreter.invoke()
    return try interpreter.outputs.indices.map { position in
      let type = try interpreter.outputType(position)
      return Output(
        isInteger: Self.isInteger(type.elementType), bytes: try interpreter.outputBytes(position))
    }
  }

  /// Whether all subgraphs together take little work as far as the plan tells.
  private func isQuick(_ interpreter: Interpreter) -> Bool {
    var work = 0
    for (index, subgraph) in model.file.subgraphs.enumerated() {
      guard let table = interpreter.table(ofSubgraph: index) else { continue }
      let tensors = GraphTensors(table)
      for node in subgraph.nodes {
        let cost = NodeCost(node, tensors)
        for part in [cost.multiplyAdds, cost.elementOperations, cost.writtenByteCount] {
          work = min(work + min(part ?? 0, Self.workLimit), 2 * Self.workLimit)
        }
      }
    }
    return work < Self.workLimit
  }

  private static func isInteger(_ type: ElementType) -> Bool {
    switch type {
    case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64, .bool, .int4, .uint4,
      .int2:
      true
    case .float32, .float16, .bfloat16, .float64, .complex64, .complex128, .string, .resource,
      .variant:
      false
    }
  }
}
