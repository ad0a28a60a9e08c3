// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Martlet
public import ResourceLimits

/// A TensorFlow Lite interpreter with the names of TensorFlowLiteSwift.
///
/// ```swift
/// let interpreter = try Interpreter(modelPath: "digits_float32.tflite")
/// try interpreter.allocateTensors()
/// try interpreter.copy(pixels, toInputAt: 0)       // Data
/// try interpreter.invoke()
/// let scores = try interpreter.output(at: 0).data
/// ```
///
/// Programs written for Martlet itself use the `Martlet` module, whose errors say where in the
/// model a fault lies. An interpreter belongs to one task at a time.
public final class Interpreter {
  /// How the interpreter was asked to compute.
  public let options: Options?
  /// The delegates it was given; they are never asked (see `Delegate`).
  public let delegates: [any Delegate]?
  /// Why the latest call failed, with the location in the model; nil if none did.
  ///
  /// An addition.
  public private(set) var failureDescription: String?

  let model: Model
  private let memory: TensorMemory

  /// An interpreter of the model in a file.
  ///
  /// - Parameters:
  ///   - modelPath: the path of the file.
  ///   - options: how to compute; nil for one thread.
  ///   - delegates: accepted and not used.
  /// - Throws: `InterpreterError.failedToLoadModel` where the file cannot be read or holds no
  ///   model, `.failedToCreateInterpreter` where it needs an operator that does not exist.
  public convenience init(
    modelPath: String, options: Options? = nil, delegates: [any Delegate]? = nil
  ) throws {
    let model: Model
    do {
      model = try Model(path: modelPath, limits: options?.limits ?? Limits())
    } catch {
      Self.report("\(error)")
      throw InterpreterError.failedToLoadModel
    }
    try self.init(model, options, delegates)
  }

  /// An interpreter of the model in memory.
  ///
  /// - Parameters:
  ///   - modelData: the whole content of a model file.
  ///   - options: how to compute; nil for one thread.
  ///   - delegates: accepted and not used.
  /// - Throws: `InterpreterError.failedToCreateInterpreter` where the bytes are no model or it
  ///   needs an operator that does not exist.
  public convenience init(
    modelData: Data, options: Options? = nil, delegates: [any Delegate]? = nil
  ) throws {
    let model: Model
    do {
      model = try Model(bytes: [UInt8](modelData), limits: options?.limits ?? Limits())
    } catch {
      Self.report("\(error)")
      throw InterpreterError.failedToCreateInterpreter
    }
    try self.init(model, options, delegates)
  }

  private init(_ model: Model, _ options: Options?, _ delegates: [any Delegate]?) throws {
    self.model = model
    self.options = options
    self.delegates = delegates
    do {
      let interpreter = try Martlet.Interpreter(model, options: Self.settings(options))
      memory = TensorMemory(interpreter)
    } catch {
      Self.report("\(error)")
      throw InterpreterError.failedToCreateInterpreter
    }
    // The original resolves operators here, and finds wrong shapes when it allocates.
    do {
      try memory.interpreter.prepare()
    } catch {
      guard case .unsupportedOperator = error.reason else { return }
      Self.report("\(error)")
      throw InterpreterError.failedToCreateInterpreter
    }
  }

  /// Prints on standard error what went wrong inside, as the original's error reporter does: the
  /// errors that are thrown do not say it.
  static func report(_ message: String) {
    let line = InterpreterError.tensorFlowLiteError(message).description + "\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  static func settings(_ options: Options?) -> Martlet.Interpreter.Options {
    var settings = Martlet.Interpreter.Options()
    if let count = options?.threadCount, count > 0 { settings.threadCount = count }
    return settings
  }

  /// The number of the model's inputs.
  public var inputTensorCount: Int { memory.interpreter.inputs.count }

  /// The number of the model's outputs.
  public var outputTensorCount: Int { memory.interpreter.outputs.count }

  /// The keys of the model's signatures, in alphabetical order.
  public var signatureKeys: [String] { model.signatureKeys.sorted() }

  /// Gives the tensors memory; to be called after resizing inputs and before all else.
  ///
  /// - Throws: `InterpreterError.failedToAllocateTensors`.
  public func allocateTensors() throws {
    try attempt(.failedToAllocateTensors) { try memory.allocate() }
  }

  /// Runs the model.
  ///
  /// - Throws: `InterpreterError.allocateTensorsRequired` for any failure, as the original does;
  ///   `failureDescription` then says which.
  public func invoke() throws {
    guard memory.isAllocated else { throw InterpreterError.allocateTensorsRequired }
    try attempt(.allocateTensorsRequired) { try memory.interpreter.invoke() }
  }

  /// The input of this index with a copy of its values.
  ///
  /// - Throws: `InterpreterError.invalidTensorIndex`, `.allocateTensorsRequired`, or
  ///   `.invalidTensorDataType`.
  public func input(at index: Int) throws -> Tensor {
    try check(index, count: inputTensorCount)
    return try tensor(memory.read(.input, index), absent: .allocateTensorsRequired)
  }

  /// The output of this index with a copy of its values; before a run, whatever is there.
  ///
  /// - Throws: `InterpreterError.invalidTensorIndex`, `.invokeInterpreterRequired`, or
  ///   `.invalidTensorDataType`.
  public func output(at index: Int) throws -> Tensor {
    try check(index, count: outputTensorCount)
    return try tensor(memory.read(.output, index), absent: .invokeInterpreterRequired)
  }

  /// Gives an input another shape, of any rank; `allocateTensors()` must follow.
  ///
  /// - Throws: `InterpreterError.invalidTensorIndex` or `.failedToResizeInputTensor`.
  public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
    try check(index, count: inputTensorCount)
    try attempt(.failedToResizeInputTensor(index: index)) { try memory.resize(index, to: shape) }
  }

  /// Copies values into an input.
  ///
  /// - Parameters:
  ///   - data: the values, little-endian, row-major; strings in TFLite's packed form.
  ///   - index: which input.
  /// - Returns: the input with its new values.
  /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataCount`,
  ///   `.allocateTensorsRequired` (where the original writes through a null pointer),
  ///   `.failedToCopyDataToInputTensor`, or `.invalidTensorDataType`.
  @discardableResult
  public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor {
    try check(index, count: inputTensorCount)
    if let required = memory.byteCount(ofInput: index), required != data.count {
      throw InterpreterError.invalidTensorDataCount(provided: data.count, required: required)
    }
    guard memory.isAllocated else { throw InterpreterError.allocateTensorsRequired }
    try attempt(.failedToCopyDataToInputTensor) { try memory.write(data, toInput: index) }
    return try input(at: index)
  }

  /// What runs one of the model's signatures.
  ///
  /// - Throws: `SignatureRunnerError.failedToCreateSignatureRunner` where there is no such
  ///   signature, `.failedToAllocateTensors` where it cannot be prepared.
  public func signatureRunner(with key: String) throws -> SignatureRunner {
    try SignatureRunner(interpreter: self, signatureKey: key)
  }

  private func check(_ index: Int, count: Int) throws {
    guard index >= 0, index < count else {
      throw InterpreterError.invalidTensorIndex(index: index, maxIndex: count - 1)
    }
  }

  private func tensor(_ reading: TensorMemory.Reading, absent: InterpreterError) throws -> Tensor {
    switch reading {
    case .tensor(let tensor): return tensor
    case .noMemory: throw absent
    case .noDataType: throw InterpreterError.invalidTensorDataType
    }
  }

  /// Runs `body`; what it throws is noted, and thrown as `error`.
  private func attempt(_ error: InterpreterError, _ body: () throws -> Void) throws {
    failureDescription = nil
    do {
      try body()
    } catch let cause {
      failureDescription = "\(cause)"
      Self.report("\(cause)")
      throw error
    }
  }
}

extension Interpreter {
  /// How an interpreter computes.
  public struct Options: Equatable, Hashable, Sendable {
    /// The threads that share the work of a node; nil, zero and less mean one.
    public var threadCount: Int?
    /// Accepted and without effect: Martlet's own optimized kernels always run.
    public var isXNNPackEnabled = false
    /// What models and runs may take (an addition).
    public var limits = Limits()

    /// One thread.
    public init() {}
  }
}

/// The former name of `Interpreter.Options`.
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options
