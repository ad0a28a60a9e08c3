// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Martlet

/// A model that is ready to run, with the names of LiteRT's Swift package.
///
/// ```swift
/// let environment = try Environment()
/// let model = try CompiledModel(filePath: "add.tflite", environment: environment)
/// let inputs = try model.createInputBuffers()
/// let outputs = try model.createOutputBuffers()
/// try inputs[0].write([1, 2] as [Float])
/// try inputs[1].write([10, 20] as [Float])
/// try model.run(inputs: inputs, outputs: outputs)
/// let sums: [Float] = try outputs[0].read()
/// ```
///
/// Programs written for Martlet itself use the `Martlet` module, whose errors say where in the model a
/// fault lies; here `getErrorMessages()` does. A model belongs to one task at a time.
public final class CompiledModel {
  /// Where the model was compiled.
  public let environment: Environment
  /// How it was compiled.
  public let options: Options?

  let model: Model
  /// The signatures in the file's order, or one for the main subgraph of a model that has none.
  let signatures: [ModelSignature]
  /// Buffers in memory that the options bind inputs to, by signature and name.
  let boundBuffers: [Int: [String: TensorBuffer]]
  private var addedMetadata: [String: Data] = [:]
  private var messages: [String] = []

  /// The model in the file at a path.
  ///
  /// - Parameters:
  ///   - filePath: the file's path.
  ///   - environment: where to compile it.
  ///   - options: how to compile it; nil for the processor alone.
  /// - Throws: `LiteRtError.fileIO` where the file cannot be read, `.invalidFlatbuffer` where it is no
  ///   model, `.invalidArgument` or `.unsupported` for accelerators that cannot be, `.runtimeFailure`
  ///   where an operator is not known.
  public convenience init(
    filePath: String, environment: Environment, options: Options? = nil
  ) throws {
    try self.init(environment, options) { () throws(InferenceError) in try Model(path: filePath) }
  }

  /// The model in memory.
  ///
  /// - Parameters:
  ///   - data: the content of a model's file, which is copied.
  ///   - environment: where to compile it.
  ///   - options: how to compile it; nil for the processor alone.
  /// - Throws: as for a file; `LiteRtError.invalidArgument` for no bytes.
  public convenience init(data: Data, environment: Environment, options: Options? = nil) throws {
    guard !data.isEmpty else { throw LiteRtError.invalidArgument }
    try self.init(environment, options) { () throws(InferenceError) in
      try Model(bytes: [UInt8](data))
    }
  }

  /// The model in a part of an open file, whose position stays as it is.
  ///
  /// - Parameters:
  ///   - fd: the file's descriptor, which may be closed afterwards.
  ///   - offset: where the model begins, in bytes.
  ///   - size: bytes of the model.
  ///   - environment: where to compile it.
  ///   - options: how to compile it; nil for the processor alone.
  /// - Throws: as for a file; `LiteRtError.invalidArgument` for no descriptor or no bytes.
  public convenience init(
    fd: Int32, offset: Int, size: Int, environment: Environment, options: Options? = nil
  ) throws {
    guard fd >= 0, offset >= 0, size > 0 else { throw LiteRtError.invalidArgument }
    let bytes = try FileRange(descriptor: fd, offset: offset, byteCount: size).bytes()
    try self.init(environment, options) { () throws(InferenceError) in try Model(bytes: bytes) }
  }

  private init(
    _ environment: Environment, _ options: Options?, _ load: () throws(InferenceError) -> Model
  ) throws(LiteRtError) {
    self.environment = environment
    var settings = Interpreter.Options()
    if let options {
      settings.threadCount = max(1, options.threadCount)
      settings.customOperators = options.customOperators
    }
    self.options = options
    do throws(InferenceError) { model = try load() } catch { throw LiteRtError(error) }
    try options?.check()
    do throws(InferenceError) {
      signatures = try ModelSignature.all(of: model, settings)
    } catch {
      throw LiteRtError(error)
    }
    boundBuffers = try options?.boundBuffers(signatures) ?? [:]
  }

  /// The keys of the signatures.
  ///
  /// - Throws: nothing.
  public func signatureKeys() throws -> [String] { signatures.map(\.key) }

  /// What the model's file, or `addMetadata`, has under a name.
  ///
  /// - Throws: `LiteRtError.notFound` where there is nothing.
  public func metadata(key: String) throws -> Data {
    if let added = addedMetadata[key] { return added }
    guard let bytes = try? model.metadataEntry(named: key) else { throw LiteRtError.notFound }
    return Data(bytes)
  }

  /// Adds something under a name that is not taken; the file stays as it is.
  ///
  /// - Throws: `LiteRtError.alreadyExists` where the name is taken.
  public func addMetadata(key: String, data: Data) throws {
    guard (try? metadata(key: key)) == nil else { throw LiteRtError.alreadyExists }
    addedMetadata[key] = data
  }

  /// Whether optimized kernels compute all nodes of the first signature.
  ///
  /// LiteRT's answer is whether its delegates take all nodes, on the processor XNNPACK.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` where the model cannot be prepared.
  public func isFullyAccelerated() throws -> Bool {
    let interpreter = signatures[0].interpreter
    try noting { () throws(InferenceError) in try interpreter.prepare() }
    return interpreter.plan?.steps.allSatisfy(\.isOptimized) == true
  }

  /// Forgets what went wrong.
  ///
  /// - Throws: nothing.
  public func clearErrors() throws { messages = [] }

  /// What went wrong since `clearErrors()`, with the location in the model, a line for each failure.
  ///
  /// - Throws: nothing.
  public func getErrorMessages() throws -> String { messages.joined(separator: "\n") }

  /// Sets what is asked before each operator of a run, and stops it by true.
  ///
  /// - Parameters:
  ///   - userData: passed on to the function.
  ///   - checkCancelledFunc: whether the run shall be cancelled.
  /// - Throws: nothing; a run that is cancelled throws `LiteRtError.cancelled`.
  @unsafe
  public func setCancellationFunction(
    userData: UnsafeMutableRawPointer? = nil,
    checkCancelledFunc: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Bool
  ) throws {
    // The signatures share one session.
    signatures[0].interpreter.isCancelled = { unsafe checkCancelledFunc(userData) }
  }

  /// The signature of an index.
  func signature(_ index: Int) throws(LiteRtError) -> ModelSignature {
    guard signatures.indices.contains(index) else { throw .indexOutOfBounds }
    return signatures[index]
  }

  /// Runs `body`; what the engine throws is noted.
  func noting<Result>(
    _ body: () throws(InferenceError) -> Result
  ) throws(LiteRtError) -> Result {
    do throws(InferenceError) {
      return try body()
    } catch {
      throw noted(error)
    }
  }

  /// Notes what the engine threw, and says what it is here.
  func noted(_ error: InferenceError) -> LiteRtError {
    messages.append("\(error)")
    return LiteRtError(error)
  }

  /// Notes what does not fit, as an error to throw.
  func failure(_ message: String) -> LiteRtError {
    messages.append(message)
    return .runtimeFailure
  }
}
