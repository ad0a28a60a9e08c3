// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import Npy
internal import Tensors

extension Interpreter {
  /// Gives inputs the values of arrays; one of another shape resizes its input.
  ///
  /// - Throws: `InferenceError` where an array's type is not the input's, and as `prepare()`.
  public func setInputs(_ arrays: [(position: Int, array: NpyArray)]) throws(InferenceError) {
    for (position, array) in arrays { try resizeInput(position, to: array.shape) }
    try prepare()
    for (position, array) in arrays {
      guard inputs.indices.contains(position), let type = inputs[position].type else { continue }
      let bytes: [UInt8]
      do throws(NpyError) { bytes = try array.tensorBytes(as: type.elementType) } catch {
        throw InferenceError(.invalidRequest("input \(position): \(error)"))
      }
      try setInput(position, bytes: bytes)
    }
  }

  /// The values of an output as an array.
  ///
  /// - Throws: `InferenceError` before the first run, and for types that npy files lack.
  public func outputArray(_ position: Int) throws(InferenceError) -> NpyArray {
    let type = try outputType(position)
    let bytes = try outputBytes(position)
    do throws(NpyError) { return try NpyArray(type, tensorBytes: bytes) } catch {
      throw InferenceError(.invalidRequest("output \(position): \(error)"))
    }
  }
}
