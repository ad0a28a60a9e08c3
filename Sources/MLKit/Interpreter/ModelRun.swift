// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet

/// One run of a model: checks formats and values against it, feeds it, reads it.
///
/// The checks are those that the original's documentation of its errors lists.
struct ModelRun {
  private let values: [ModelInputs.Value]
  private let inputs: [UInt: ModelInputOutputOptions.Format]
  private let outputs: [UInt: ModelInputOutputOptions.Format]

  /// A run with the values and formats as they are now.
  init(inputs: ModelInputs, options: ModelInputOutputOptions) {
    values = inputs.values
    self.inputs = options.inputs
    outputs = options.outputs
  }

  /// Runs the model.
  func outputs(of interpreter: Interpreter) throws(NSError) -> ModelOutputs {
    try checkFormats(interpreter)
    for (position, value) in values.enumerated() {
      guard let format = inputs[UInt(position)] else {
        throw outOfRange("There is no format for input \(position).")
      }
      try checkInput(position, format, interpreter)
      let bytes = try bytes(of: value, position, format)
      try engine { () throws(InferenceError) in
        try interpreter.resizeInput(position, to: format.shape)
        try interpreter.setInput(position, bytes: bytes)
      }
    }
    try engine { () throws(InferenceError) in try interpreter.invoke() }
    var results: [UInt: ModelOutputs.Value] = [:]
    for (index, format) in outputs { results[index] = try output(index, format, interpreter) }
    return ModelOutputs(results)
  }

  private func checkFormats(_ interpreter: Interpreter) throws(NSError) {
    guard !inputs.isEmpty else { throw invalid("There are no input formats.") }
    guard !outputs.isEmpty else { throw invalid("There are no output formats.") }
    guard values.count == inputs.count else {
      throw invalid("There are \(values.count) inputs, but \(inputs.count) input formats.")
    }
    for index in inputs.keys where index >= UInt(interpreter.inputs.count) {
      throw outOfRange(
        "There is no input \(index): the model has \(interpreter.inputs.count).")
    }
    for index in outputs.keys where index >= UInt(interpreter.outputs.count) {
      throw outOfRange(
        "There is no output \(index): the model has \(interpreter.outputs.count).")
    }
    guard values.count == interpreter.inputs.count else {
      throw invalid(
        "There are \(values.count) inputs, but the model has \(interpreter.inputs.count).")
    }
  }

  /// The declared type and dimensions must be the model's; dimensions that it leaves open are free.
  private func checkInput(
    _ position: Int, _ format: ModelInputOutputOptions.Format, _ interpreter: Interpreter
  ) throws(NSError) {
    let info = interpreter.inputs[position]
    guard let type = info.type else {
      throw Generation.firebase.error(.internal, "Input \(position) cannot be located.")
    }
    guard type.elementType == format.type.elementType else {
      throw invalid(
        "Input \(position) is \(type.elementType.schemaName), but its format says \(format.type).")
    }
    let open = info.shapeSignature ?? type.shape.dimensions
    guard open.count == format.shape.rank,
      zip(open, format.shape.dimensions).allSatisfy({ $0 < 0 || $0 == $1 })
    else {
      throw invalid(
        "Input \(position) has dimensions \(open), but its format says \(format.shape.dimensions).")
    }
  }

  private func bytes(
    of value: ModelInputs.Value, _ position: Int, _ format: ModelInputOutputOptions.Format
  ) throws(NSError) -> [UInt8] {
    switch value {
    case .bytes(let data):
      guard data.count == format.byteCount else {
        throw invalid(
          "Input \(position) should have \(format.byteCount) bytes, but found \(data.count) bytes.")
      }
      return [UInt8](data)
    case .malformed(let problem):
      throw invalid("Input \(position) has \(problem).")
    case .numbers(let numbers, let dimensions):
      guard dimensions == format.shape.dimensions else {
        throw invalid(
          "Input \(position) has dimensions \(dimensions), but its format says \(format.shape.dimensions)."
        )
      }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(format.byteCount)
      for number in numbers {
        guard append(number, as: format.type, to: &bytes) else {
          throw invalid("Input \(position) has \(number), which is no \(format.type).")
        }
      }
      return bytes
    }
  }

  /// Appends a number's bytes; false where it is not one of the type.
  private func append(
    _ number: NSNumber, as type: ModelElementType, to bytes: inout [UInt8]
  ) -> Bool {
    func append(_ pattern: some FixedWidthInteger) {
      for location in 0..<pattern.bitWidth / 8 {
        bytes.append(UInt8(truncatingIfNeeded: pattern >> (8 * location)))
      }
    }
    switch type {
    case .float32: append(number.floatValue.bitPattern)
    case .int32:
      guard let value = Int32(exactly: number.doubleValue) else { return false }
      append(value)
    case .uInt8:
      guard let value = UInt8(exactly: number.doubleValue) else { return false }
      append(value)
    case .int64:
      guard number.doubleValue.rounded() == number.doubleValue else { return false }
      append(number.int64Value)
    case .unknown: return false
    }
    return true
  }

  private func output(
    _ index: UInt, _ format: ModelInputOutputOptions.Format, _ interpreter: Interpreter
  ) throws(NSError) -> ModelOutputs.Value {
    let position = Int(index)
    let (type, bytes) = try engine { () throws(InferenceError) in
      (try interpreter.outputType(position), try interpreter.outputBytes(position))
    }
    guard type.elementType == format.type.elementType else {
      throw invalid(
        "Output \(index) is \(type.elementType.schemaName), but its format says \(format.type).")
    }
    guard bytes.count == format.byteCount else {
      throw invalid(
        "Output \(index) should have \(format.byteCount) bytes, but found \(bytes.count) bytes.")
    }
    guard type.shape == format.shape else {
      throw invalid(
        "Output \(index) has dimensions \(type.shape.dimensions), but its format says \(format.shape.dimensions)."
      )
    }
    return ModelOutputs.Value(
      type: format.type, dimensions: format.shape.dimensions, bytes: bytes)
  }

  private func engine<Result>(
    _ body: () throws(InferenceError) -> Result
  ) throws(NSError) -> Result {
    do throws(InferenceError) { return try body() } catch { throw Generation.firebase.error(error) }
  }

  private func invalid(_ message: String) -> NSError {
    Generation.firebase.error(.invalidArgument, message)
  }

  private func outOfRange(_ message: String) -> NSError {
    Generation.firebase.error(.outOfRange, message)
  }
}
