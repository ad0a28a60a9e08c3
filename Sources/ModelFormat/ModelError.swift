// SPDX-License-Identifier: Apache-2.0

public import FlatBuffers

/// Why a file is not a usable model, and where in it the fault lies.
public struct ModelError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The file is something else, such as a zip archive.
    case notAModel(found: String)
    /// The bytes do not form the tables that the schema describes.
    case malformed(FlatBufferError)
    /// The schema's version is not 3.
    case unsupportedVersion(Int)
    /// The model has no subgraph.
    case noSubgraphs
    /// An index is not one of `count` things.
    case indexOutOfRange(Int, count: Int)
    /// An index says "none" where something is required.
    case requiredButAbsent
    /// The quantization parameters contradict each other or the shape.
    case invalidQuantization(String)
    /// The sparsity parameters lack a part.
    case invalidSparsity(String)
    /// An operator's options are those of another operator.
    case wrongOptions(found: String, wanted: String)
    /// Something else, as the sentence says.
    case invalid(String)
  }

  /// A step on the way from the model to the fault.
  public enum Step: Hashable, Sendable {
    /// The subgraph of this index.
    case subgraph(Int)
    /// The operator of this index, and its name.
    case `operator`(Int, name: String)
    /// The tensor of this index, and its name.
    case tensor(Int, name: String)
    /// The input of this index.
    case input(Int)
    /// The output of this index.
    case output(Int)
    /// The intermediate tensor of this index.
    case intermediate(Int)
    /// The buffer of this index.
    case buffer(Int)
    /// The entry of this index in the table of operator codes.
    case operatorCode(Int)
    /// The signature of this index, and its name.
    case signature(Int, name: String)
    /// The metadata entry of this name.
    case metadata(name: String)
  }

  /// What is wrong.
  public let reason: Reason
  /// Where it is wrong, outermost step first; empty for the file as a whole.
  public let path: [Step]

  /// An error for `reason` at the end of `path`.
  public init(_ reason: Reason, path: [Step] = []) {
    self.reason = reason
    self.path = path
  }

  /// The same error, seen from one step further out.
  func within(_ step: Step) -> ModelError { ModelError(reason, path: [step] + path) }
}
