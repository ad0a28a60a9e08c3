// SPDX-License-Identifier: Apache-2.0

import Martlet

/// What computes.
public enum Accelerator: Int32, Sendable {
  /// Nothing.
  case none = 0
  /// The processor.
  case cpu = 1
  /// A GPU: there is none here.
  case gpu = 2
  /// A neural processing unit: there is none here.
  case npu = 4
}

/// How models are compiled.
///
/// Options belong to one task at a time, and may be changed after a model has been compiled with them,
/// which keeps what it was given.
public final class Options {
  private var accelerators: Set<Accelerator> = []
  private var opaque: OpaqueOptions.Node?
  private var bindings: [Binding] = []
  /// The operators that the program brings.
  private(set) var customOperators = CustomOperators()
  /// Threads that share the work of an operator; an addition.
  public var threadCount = 1

  /// No accelerators, one thread.
  ///
  /// - Throws: nothing.
  public init() throws {}

  /// Says what may compute.
  ///
  /// - Throws: nothing; a model refuses accelerators that it cannot be compiled for.
  public func setHardwareAccelerators(_ accelerators: Set<Accelerator>) throws {
    self.accelerators = accelerators.subtracting([.none])
  }

  /// What may compute; empty if nothing was said.
  ///
  /// - Throws: nothing.
  public func hardwareAccelerators() throws -> Set<Accelerator> { accelerators }

  /// Binds an input to memory of the caller's, which must outlive the model; nothing is copied.
  ///
  /// Lists of buffers have one for each input, which comes first; runs by names may leave it out.
  ///
  /// - Parameters:
  ///   - signatureName: the key of a signature; empty for the first.
  ///   - tensorName: the name of an input in it.
  ///   - data: the memory's address, a multiple of 64.
  ///   - sizeBytes: bytes.
  /// - Throws: nothing; a model throws `LiteRtError.invalidArgument` where it has no such input, it has
  ///   an open dimension, or the memory does not fit it.
  @unsafe
  public func addExternalTensorBinding(
    signatureName: String, tensorName: String, data: UnsafeMutableRawPointer, sizeBytes: Int
  ) throws {
    bindings.append(
      unsafe Binding(signature: signatureName, tensor: tensorName, address: data, size: sizeBytes))
  }

  /// Adds a custom operator of functions.
  ///
  /// - Parameters:
  ///   - name: the operator's name in model files.
  ///   - version: its version, which is not looked at.
  ///   - kernel: the functions, which are copied.
  ///   - userData: accepted and not used: functions hold what they need.
  /// - Throws: nothing; a model throws `LiteRtError.runtimeFailure` where functions are missing.
  @unsafe
  public func addCustomOpKernel(
    name: String, version: Int, kernel: inout LiteRtCustomOpKernel,
    userData: UnsafeMutableRawPointer? = nil
  ) throws {
    let functions = kernel
    customOperators.register(name) { node throws(KernelError) in
      try CustomOperation(functions, node.customOptions)
    }
  }

  /// Adds a custom operator (an addition).
  ///
  /// - Parameters:
  ///   - name: the operator's name in model files.
  ///   - type: what computes a node of it.
  public func addCustomOpKernel<Kernel: CustomOpKernel>(name: String, _ type: Kernel.Type) {
    customOperators.register(name) { node throws(KernelError) in
      try CustomOperation(type, node.customOptions)
    }
  }

  /// Adds options for one accelerator, behind those that were added before.
  ///
  /// - Throws: `LiteRtError.invalidArgument` where all of `opaqueOptions` have been taken out.
  public func addOpaqueOptions(_ opaqueOptions: OpaqueOptions) throws {
    guard let node = opaqueOptions.head else { throw LiteRtError.invalidArgument }
    if let opaque { opaque.last.next = node } else { opaque = node }
  }

  /// The options for accelerators; nil if there are none.
  ///
  /// - Throws: nothing.
  public func opaqueOptions() throws -> OpaqueOptions? { opaque.map(OpaqueOptions.init(head:)) }

  /// Buffers in the memory that inputs are bound to, by signature and name.
  func boundBuffers(
    _ signatures: [ModelSignature]
  ) throws(LiteRtError) -> [Int: [String: TensorBuffer]] {
    var buffers: [Int: [String: TensorBuffer]] = [:]
    for binding in bindings {
      let index = signatures.firstIndex { $0.key == binding.signature || binding.signature.isEmpty }
      guard let index, let buffer = binding.buffer(in: signatures[index]) else {
        throw .invalidArgument
      }
      buffers[index, default: [:]][binding.tensor] = buffer
    }
    return buffers
  }

  /// Checks that the processor may compute: all that there is.
  ///
  /// - Throws: `LiteRtError.invalidArgument` if nothing may, `.unsupported` if only others may.
  func check() throws(LiteRtError) {
    guard !accelerators.isEmpty else { throw .invalidArgument }
    guard accelerators.contains(.cpu) else { throw .unsupported }
  }
}

/// An input that has its values in memory of the caller's.
@safe
private struct Binding {
  let signature: String
  let tensor: String
  let address: UnsafeMutableRawPointer
  let size: Int

  init(signature: String, tensor: String, address: UnsafeMutableRawPointer, size: Int) {
    self.signature = signature
    self.tensor = tensor
    unsafe self.address = address
    self.size = size
  }

  /// A buffer in the memory; nil where the signature has no such input, or it does not fit.
  func buffer(in signature: ModelSignature) -> TensorBuffer? {
    let inputs = signature.interpreter.inputs
    guard let info = inputs.first(where: { ($0.argument ?? $0.name) == tensor }) else { return nil }
    return try? unsafe TensorBuffer(
      hostBufferAddressAddress: address, size: size,
      tensorType: TensorType(info, isDeclared: true))
  }
}
