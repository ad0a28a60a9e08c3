// SPDX-License-Identifier: Apache-2.0

import Martlet

extension CompiledModel {
  /// Runs a signature.
  ///
  /// An input whose buffer has other dimensions is resized where the file leaves them open.
  ///
  /// - Parameters:
  ///   - inputs: the inputs' values, one buffer for each.
  ///   - outputs: where the outputs' values go, one buffer for each.
  ///   - options: accepted and not used.
  ///   - signatureIndex: which signature.
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature, `.runtimeFailure` where
  ///   buffers do not fit it, are locked, or the model fails on these values, `.cancelled`.
  public func run(
    inputs: [TensorBuffer], outputs: [TensorBuffer], options: Options? = nil,
    signatureIndex: Int = 0
  ) throws {
    let signature = try signature(signatureIndex)
    try begin(signature, inputs, outputs)
    try noting { () throws(InferenceError) in try signature.interpreter.invoke() }
    try end(signature, outputs)
  }

  /// Gives a signature the values and dimensions of its inputs.
  func begin(
    _ signature: ModelSignature, _ inputs: [TensorBuffer], _ outputs: [TensorBuffer]
  ) throws(LiteRtError) {
    guard inputs.count == signature.inputs.count else {
      throw failure("\(inputs.count) buffers for \(signature.inputs.count) inputs")
    }
    guard outputs.count == signature.outputs.count else {
      throw failure("\(outputs.count) buffers for \(signature.outputs.count) outputs")
    }
    for (index, buffer) in inputs.enumerated() { try resize(index, of: signature, to: buffer) }
    for (index, buffer) in inputs.enumerated() { try copy(buffer, to: index, of: signature) }
  }

  /// Copies the values of a signature's outputs.
  func end(_ signature: ModelSignature, _ outputs: [TensorBuffer]) throws(LiteRtError) {
    for (index, buffer) in outputs.enumerated() { try copy(index, of: signature, to: buffer) }
  }

  /// Runs a signature with new buffers for its outputs.
  ///
  /// - Returns: the outputs' values.
  /// - Throws: as with buffers of the caller's.
  public func run(
    inputs: [TensorBuffer], options: Options? = nil, signatureIndex: Int = 0
  ) throws -> [TensorBuffer] {
    let outputs = try createOutputBuffers(signatureIndex: signatureIndex)
    try run(inputs: inputs, outputs: outputs, options: options, signatureIndex: signatureIndex)
    return outputs
  }

  /// Runs a signature, in the background where an accelerator does that; the processor does not.
  ///
  /// - Returns: whether it runs in the background: false, it has run.
  /// - Throws: as `run` does.
  public func dispatch(
    inputs: [TensorBuffer], outputs: [TensorBuffer], options: Options? = nil,
    signatureIndex: Int = 0
  ) throws -> Bool {
    try run(inputs: inputs, outputs: outputs, options: options, signatureIndex: signatureIndex)
    return false
  }

  /// `dispatch` with new buffers for the outputs.
  ///
  /// - Returns: the outputs' values, and whether they are still to come: false.
  /// - Throws: as `run` does.
  public func dispatch(
    inputs: [TensorBuffer], options: Options? = nil, signatureIndex: Int = 0
  ) throws -> (buffers: [TensorBuffer], isAsync: Bool) {
    (try run(inputs: inputs, options: options, signatureIndex: signatureIndex), false)
  }

  /// Gives an input the dimensions of its buffer.
  private func resize(
    _ index: Int, of signature: ModelSignature, to buffer: TensorBuffer
  ) throws(LiteRtError) {
    let info = try signature.input(index)
    guard let dimensions = buffer.tensorType?.layout.dimensions,
      let current = info.type?.shape.dimensions, !current.isEmpty, !dimensions.isEmpty,
      dimensions != current
    else { return }
    guard info.leavesOpen(dimensions) else {
      throw failure("a buffer of \(dimensions) for input \(index) of \(current)")
    }
    try signature.resize(index, to: dimensions, in: self)
  }

  private func copy(
    _ buffer: TensorBuffer, to index: Int, of signature: ModelSignature
  ) throws(LiteRtError) {
    let info = try signature.input(index)
    try unsafe buffer.withBytes { bytes throws(LiteRtError) in
      let packed = unsafe packedByteCount(UnsafeRawBufferPointer(bytes))
      guard let byteCount = info.type?.byteCount ?? packed, byteCount <= bytes.count else {
        throw failure("a buffer of \(bytes.count) bytes for input \(index)")
      }
      try noting { () throws(InferenceError) in
        try signature.interpreter.setInput(
          signature.inputs[index],
          bytes: unsafe Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount])))
      }
    }
  }

  private func copy(
    _ index: Int, of signature: ModelSignature, to buffer: TensorBuffer
  ) throws(LiteRtError) {
    try unsafe buffer.withBytes { bytes throws(LiteRtError) in
      let byteCount = try noting { () throws(InferenceError) in
        try signature.interpreter.withOutputBytes(signature.outputs[index]) { span in
          if span.count <= bytes.count {
            unsafe span.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
          }
          return span.count
        }
      }
      guard byteCount <= bytes.count else {
        throw failure("a buffer of \(bytes.count) bytes for output \(index) of \(byteCount)")
      }
    }
  }

  /// Bytes of strings in TFLite's packed form, which begins with how many there are and where each
  /// begins and the last ends; nil for other bytes.
  private func packedByteCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
    func word(_ index: Int) -> Int? {
      guard index <= (bytes.count - 4) / 4 else { return nil }
      return Int(unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
    }
    guard bytes.count >= 4, let count = word(0), 0..<Int(Int32.max) ~= count,
      let end = word(count + 1), end >= 4 * (count + 2), end <= bytes.count
    else { return nil }
    return end
  }
}
