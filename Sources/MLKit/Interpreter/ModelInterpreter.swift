// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Martlet
import Synchronization

/// What `ModelInterpreter.run` calls when it is done: the outputs, or the error.
public typealias ModelInterpreterRunCallback = (ModelOutputs?, (any Error)?) -> Void

/// What the questions for an index call when they are done: the index, or the error.
public typealias ModelInterpreterInputOutputOpIndexCallback = (NSNumber?, (any Error)?) -> Void

/// Runs a custom model with inputs and outputs of any kind.
///
/// It may be used by several threads; runs follow one after the other. The model is loaded when it
/// is first needed, so a missing file is an error of the first run. No Firebase app is needed for a
/// local model.
public final class ModelInterpreter: NSObject, @unchecked Sendable {
  private let worker: Worker<Martlet.Interpreter>
  private let collectsStats = Mutex(true)

  /// The interpreter of a model in a file.
  public class func modelInterpreter(localModel: CustomLocalModel) -> ModelInterpreter {
    let path = localModel.path
    return ModelInterpreter { path }
  }

  /// The interpreter of a model that has been downloaded.
  ///
  /// It does not download the model: `ModelManager.download` does.
  public class func modelInterpreter(remoteModel: CustomRemoteModel) -> ModelInterpreter {
    ModelInterpreter { () throws(NSError) in
      try ModelManager.modelManager().latestModelFilePath(remoteModel)
    }
  }

  private init(_ path: @escaping () throws(NSError) -> String) {
    worker = Worker("interpreter") { () throws(NSError) in
      let path = try path()
      do throws(InferenceError) {
        return try Martlet.Interpreter(Model(path: path, limits: MLKitSettings.limits))
      } catch {
        let message = "Failed to create a TFLite interpreter for the given model (\(path))"
        throw Generation.firebase.error(Generation.firebase.code(of: error), "\(message): \(error)")
      }
    }
  }

  /// Kept for programs that set it; nothing here collects statistics.
  public var isStatsCollectionEnabled: Bool {
    get { collectsStats.withLock { $0 } }
    set { collectsStats.withLock { $0 = newValue } }
  }

  /// Runs the model.
  ///
  /// - Parameters:
  ///   - inputs: the values of all inputs; what they are when this is called counts.
  ///   - options: the formats of all inputs and of the outputs that are wanted; what they are when
  ///     this is called counts.
  ///   - completion: gets the outputs, or an `NSError`, on the completion queue.
  public func run(
    inputs: ModelInputs, options: ModelInputOutputOptions,
    completion: @escaping ModelInterpreterRunCallback
  ) {
    let run = ModelRun(inputs: inputs, options: options)
    worker.start { interpreter throws(NSError) in
      try run.outputs(of: interpreter)
    } completion: { outcome in
      switch outcome {
      case .success(let outputs): completion(outputs, nil)
      case .failure(let error): completion(nil, error)
      }
    }
  }

  /// Runs the model (an addition).
  ///
  /// - Throws: `NSError`, as `run(inputs:options:completion:)` delivers it.
  nonisolated(nonsending) public func run(
    inputs: ModelInputs, options: ModelInputOutputOptions
  ) async throws -> ModelOutputs {
    let run = ModelRun(inputs: inputs, options: options)
    return try await worker.value { interpreter throws(NSError) in
      try run.outputs(of: interpreter)
    }
  }

  /// The index of the input of this name.
  ///
  /// - Parameters:
  ///   - opName: the name of the input's tensor.
  ///   - completion: gets the index, or an `NSError`, on the completion queue.
  public func inputIndex(
    opName: String, completion: @escaping ModelInterpreterInputOutputOpIndexCallback
  ) {
    find(opName, "input", completion) { $0.inputPosition(named: opName) }
  }

  /// The index of the output of this name.
  ///
  /// - Parameters:
  ///   - opName: the name of the output's tensor.
  ///   - completion: gets the index, or an `NSError`, on the completion queue.
  public func outputIndex(
    opName: String, completion: @escaping ModelInterpreterInputOutputOpIndexCallback
  ) {
    find(opName, "output", completion) { $0.outputPosition(named: opName) }
  }

  /// The index of the input of this name (an addition).
  ///
  /// - Throws: `NSError` where there is none.
  public func inputIndex(opName: String) async throws -> Int {
    try await withCheckedThrowingContinuation { done in
      inputIndex(opName: opName) { done.resume(with: Self.outcome($0, $1)) }
    }
  }

  /// The index of the output of this name (an addition).
  ///
  /// - Throws: `NSError` where there is none.
  public func outputIndex(opName: String) async throws -> Int {
    try await withCheckedThrowingContinuation { done in
      outputIndex(opName: opName) { done.resume(with: Self.outcome($0, $1)) }
    }
  }

  private static func outcome(
    _ index: NSNumber?, _ error: (any Error)?
  ) -> Result<Int, any Error> {
    if let index { return .success(index.intValue) }
    return .failure(error ?? Generation.firebase.error(.internal, "neither index nor error"))
  }

  private func find(
    _ name: String, _ side: String,
    _ completion: @escaping ModelInterpreterInputOutputOpIndexCallback,
    _ position: @escaping (Martlet.Interpreter) -> Int?
  ) {
    worker.start { interpreter throws(NSError) in
      guard let position = position(interpreter) else {
        throw Generation.firebase.error(.invalidArgument, "There is no \(side) named \(name).")
      }
      return NSNumber(value: UInt(position))
    } completion: { outcome in
      switch outcome {
      case .success(let index): completion(index, nil)
      case .failure(let error): completion(nil, error)
      }
    }
  }
}
