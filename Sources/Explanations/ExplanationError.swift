// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import Tensors

/// Why an element cannot be explained.
public enum ExplanationError: Error, Sendable {
  /// The model has no such subgraph, or none such tensor: the sentence says which.
  case noSuchTensor(String)
  /// The index, numbers with commas between them, does not lie in the tensor.
  case noSuchElement(index: String, tensor: String, shape: Shape)
  /// The tensor has no value: the run did not come to it.
  case noValue(subgraph: Int, tensor: String)
  /// The model cannot be run.
  case inference(InferenceError)
}

extension ExplanationError: CustomStringConvertible {
  /// What is wrong, in a sentence.
  public var description: String {
    switch self {
    case .noSuchTensor(let sentence): sentence
    case .noSuchElement(let index, let tensor, let shape):
      "no element \(index) in '\(tensor)' of shape \(shape)"
    case .noValue(let subgraph, let tensor):
      "'\(tensor)' of subgraph \(subgraph) has no value: the run did not come to it"
    case .inference(let error): error.description
    }
  }
}
