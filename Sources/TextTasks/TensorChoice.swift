// SPDX-License-Identifier: Apache-2.0

import Martlet
import MetadataFormat
import ModelTasks

/// One of a model's inputs or outputs, by its name in the metadata or graph, or by its position.
public enum TensorChoice: Sendable, Hashable {
  /// The tensor of this name: the metadata's, or else the signature's or the tensor's own.
  case name(String)
  /// The tensor at this position.
  case position(Int)

  /// The position that is meant.
  ///
  /// - Throws: `TaskError.invalidOption` where there is no such tensor.
  func position(
    among tensors: [Interpreter.TensorInfo], _ described: [TensorMetadata]?, kind: String
  ) throws(TaskError) -> Int {
    switch self {
    case .position(let position):
      guard tensors.indices.contains(position) else {
        throw .invalidOption(
          "no \(kind) \(position): the model has \(tensors.count), counted from 0")
      }
      return position
    case .name(let name):
      let position =
        described?.firstIndex { $0.name == name } ?? tensors.firstIndex { $0.isCalled(name) }
      guard let position, tensors.indices.contains(position) else {
        let names = tensors.map(\.name).joined(separator: ", ")
        throw .invalidOption("no \(kind) is called '\(name)'; there are \(names)")
      }
      return position
    }
  }
}
