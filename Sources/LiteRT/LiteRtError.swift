// SPDX-License-Identifier: Apache-2.0

import Martlet

/// Why a call failed: the states of LiteRT's C API (`litert_common.h`) other than success.
///
/// Some belong to compilers of other runtimes and are never thrown here.
public enum LiteRtError: Error, Equatable, Sendable {
  /// An argument that no model could take.
  case invalidArgument
  /// More memory is needed than there may be.
  case memoryAllocationFailure
  /// The model cannot be prepared or run, or buffers do not fit it.
  case runtimeFailure
  /// An input is missing.
  case missingInputTensor
  /// There is no such thing here.
  case unsupported
  /// Nothing has this name.
  case notFound
  /// The time that a run may take is over.
  case timeoutExpired
  /// A version does not fit.
  case wrongVersion
  /// None of the other cases.
  case unknown
  /// There is one already.
  case alreadyExists
  /// The run was cancelled.
  case cancelled
  /// A file cannot be read.
  case fileIO
  /// The bytes are no model.
  case invalidFlatbuffer
  /// A library cannot be loaded.
  case dynamicLoading
  /// Something cannot be written as bytes.
  case serialization
  /// The model cannot be compiled for the accelerators.
  case compilation
  /// There are fewer of them.
  case indexOutOfBounds
  /// A type that intermediate code does not have.
  case invalidIrType
  /// A graph that contradicts itself.
  case invalidGraphInvariant
  /// A graph cannot be changed.
  case graphModification
  /// Options of a tool contradict each other.
  case invalidToolConfig
  /// No rule for an operator.
  case legalizeNoMatch
  /// A rule gave what is not valid.
  case invalidLegalization
  /// No pattern matches.
  case patternNoMatch
  /// A change of the graph is not valid.
  case invalidTransformation
  /// A runtime of an unsupported version.
  case unsupportedRuntimeVersion
  /// A compiler of an unsupported version.
  case unsupportedCompilerVersion
  /// Compiled code of another version.
  case incompatibleByteCodeVersion
  /// No rule for the shapes of an operator.
  case unsupportedOpShapeInferer
  /// Shapes cannot be told.
  case shapeInferenceFailed

  /// What an error of the engine is here.
  init(_ error: InferenceError) {
    self =
      switch error.reason {
      case .file: .fileIO
      case .model: .invalidFlatbuffer
      case .memoryLimit: .memoryAllocationFailure
      case .timeLimit: .timeoutExpired
      case .cancelled: .cancelled
      case .kernel, .unsupportedOperator, .operationLimit, .workLimit, .invalidRequest,
        .invalidGraph:
        .runtimeFailure
      }
  }
}

extension LiteRtError: CustomStringConvertible {
  /// The state in words.
  public var description: String {
    switch self {
    case .invalidArgument: "Invalid argument"
    case .memoryAllocationFailure: "Memory allocation failure"
    case .runtimeFailure: "Runtime failure"
    case .missingInputTensor: "Missing input tensor"
    case .unsupported: "Unsupported operation"
    case .notFound: "Not found"
    case .timeoutExpired: "Timeout expired"
    case .wrongVersion: "Wrong version"
    case .unknown: "Unknown error"
    case .alreadyExists: "Already exists"
    case .cancelled: "Cancelled"
    case .fileIO: "File I/O error"
    case .invalidFlatbuffer: "Invalid flatbuffer"
    case .dynamicLoading: "Dynamic loading error"
    case .serialization: "Serialization error"
    case .compilation: "Compilation error"
    case .indexOutOfBounds: "Index out of bounds"
    case .invalidIrType: "Invalid IR type"
    case .invalidGraphInvariant: "Invalid graph invariant"
    case .graphModification: "Graph modification error"
    case .invalidToolConfig: "Invalid tool config"
    case .legalizeNoMatch: "Legalize no match"
    case .invalidLegalization: "Invalid legalization"
    case .patternNoMatch: "Pattern no match"
    case .invalidTransformation: "Invalid transformation"
    case .unsupportedRuntimeVersion: "Unsupported runtime version"
    case .unsupportedCompilerVersion: "Unsupported compiler version"
    case .incompatibleByteCodeVersion: "Incompatible byte code version"
    case .unsupportedOpShapeInferer: "Unsupported op shape inferer"
    case .shapeInferenceFailed: "Shape inference failed"
    }
  }
}
