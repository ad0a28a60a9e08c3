// SPDX-License-Identifier: Apache-2.0
//
// The form: Open Inference Protocol, version 2, "Inference Request JSON Object".

import JSONDocuments
import Npy
import Tensors

/// A tensor's element type as the Open Inference Protocol calls it.
enum InferenceDatatype: String, CaseIterable {
  case bool = "BOOL"
  case uint8 = "UINT8"
  case uint16 = "UINT16"
  case uint32 = "UINT32"
  case uint64 = "UINT64"
  case int8 = "INT8"
  case int16 = "INT16"
  case int32 = "INT32"
  case int64 = "INT64"
  case float16 = "FP16"
  case float32 = "FP32"
  case float64 = "FP64"
  case bytes = "BYTES"

  /// The datatype that holds a tensor's elements, those below a byte widened; nil where the
  /// protocol has none.
  init?(_ elementType: ElementType) {
    switch elementType {
    case .bool: self = .bool
    case .uint8, .uint4: self = .uint8
    case .uint16: self = .uint16
    case .uint32: self = .uint32
    case .uint64: self = .uint64
    case .int8, .int4, .int2: self = .int8
    case .int16: self = .int16
    case .int32: self = .int32
    case .int64: self = .int64
    case .float16: self = .float16
    case .float32: self = .float32
    case .float64: self = .float64
    case .string: self = .bytes
    case .bfloat16, .complex64, .complex128, .resource, .variant: return nil
    }
  }
}

/// A tensor of a request: its name, its shape, and its values as they were written.
struct InferenceTensor {
  let name: String
  let shape: Shape
  let datatype: InferenceDatatype
  /// The values in row-major order.
  let data: [JSON]
  /// Where the tensor lies in the input.
  let location: String

  /// The tensor that the members of a JSON object describe.
  ///
  /// The values are one list, or lists in lists as deep as the shape.
  init(_ members: [String: JSON], at location: String) throws(WorkerFailure) {
    guard let name = members["name"]?.string else {
      throw WorkerFailure(.badRequest, "no 'name' that is a string", at: location)
    }
    guard let word = members["datatype"]?.string, let datatype = InferenceDatatype(rawValue: word)
    else {
      let known = InferenceDatatype.allCases.map(\.rawValue).joined(separator: ", ")
      throw WorkerFailure(.badRequest, "no 'datatype' out of \(known)", at: location)
    }
    shape = try Self.shape(members["shape"], at: location)
    guard let values = members["data"]?.array else {
      throw WorkerFailure(.badRequest, "no 'data' that is a list", at: location)
    }
    data = try Self.flat(values, shape, at: location)
    self.name = name
    self.datatype = datatype
    self.location = location
  }

  private static func shape(_ value: JSON?, at location: String) throws(WorkerFailure) -> Shape {
    let dimensions = value?.array?.map(\.integer)
    guard let dimensions, !dimensions.contains(nil) else {
      throw WorkerFailure(.badRequest, "no 'shape' that is a list of whole numbers", at: location)
    }
    do throws(ShapeError) { return try Shape(dimensions.compactMap(\.self)) } catch {
      throw WorkerFailure(.badTensor, "\(error)", at: location)
    }
  }

  /// Values in one list, whose number is the shape's.
  private static func flat(
    _ values: [JSON], _ shape: Shape, at location: String
  ) throws(WorkerFailure) -> [JSON] {
    var values = values
    // The outermost list is there already.
    for dimension in shape.dimensions.dropFirst() where values.first?.array != nil {
      var inner: [JSON] = []
      for value in values {
        guard let row = value.array, row.count == dimension else {
          throw WorkerFailure(
            .badTensor, "the lists in 'data' are not those of \(shape)", at: location)
        }
        inner += row
      }
      values = inner
    }
    guard values.count == shape.elementCount else {
      throw WorkerFailure(
        .badTensor, "\(values.count) values in 'data' for shape \(shape)", at: location)
    }
    return values
  }

  /// The values as the engine stores them in a tensor of `elementType`.
  func bytes(as elementType: ElementType) throws(WorkerFailure) -> [UInt8] {
    do throws(NpyError) {
      if datatype == .bytes, elementType == .string {
        let strings = try values("a string") { $0.string.map { Array($0.utf8) } }
        return try NpyError.translating { () throws(StringTensor.Malformed) in
          try StringTensor.bytes(of: strings)
        }
      }
      guard let wanted = InferenceDatatype(elementType), wanted == datatype else {
        throw NpyError("datatype \(datatype.rawValue) for a tensor of \(elementType.schemaName)")
      }
      return try array().tensorBytes(as: elementType)
    } catch {
      throw WorkerFailure(.badTensor, error.reason, at: "\(location) '\(name)'")
    }
  }

  private func array() throws(NpyError) -> NpyArray {
    switch datatype {
    case .bool:
      let bytes = try values("true or false") { value -> UInt8? in
        if case .bool(let truth) = value { truth ? 1 : 0 } else { nil }
      }
      return try NpyArray(.bool, shape, bytes: bytes)
    case .uint8: return try integers(UInt8.self)
    case .uint16: return try integers(UInt16.self)
    case .uint32: return try integers(UInt32.self)
    case .uint64: return try integers(UInt64.self)
    case .int8: return try integers(Int8.self)
    case .int16: return try integers(Int16.self)
    case .int32: return try integers(Int32.self)
    case .int64: return try integers(Int64.self)
    case .float16: return try NpyArray(reals().map(Float16.init), shape: shape)
    case .float32: return try NpyArray(reals().map(Float.init), shape: shape)
    case .float64: return try NpyArray(reals(), shape: shape)
    case .bytes: throw NpyError("strings where a tensor of numbers is wanted")
    }
  }

  /// Whole numbers; those beyond the signed 64-bit range may be strings of digits, as Martlet
  /// writes them.
  private func integers<Element: FixedWidthInteger & TensorElement>(
    _ type: Element.Type
  ) throws(NpyError) -> NpyArray {
    let numbers = try values("a whole number of \(datatype.rawValue)") { value -> Element? in
      switch value {
      case .integer(let integer): Element(exactly: integer)
      case .string(let digits): Element(digits)
      case .null, .bool, .number, .float, .array, .object: nil
      }
    }
    return try NpyArray(numbers, shape: shape)
  }

  /// Real numbers; those that JSON lacks are strings, as Martlet writes them.
  private func reals() throws(NpyError) -> [Double] {
    try values("a number") { value in
      switch value.string {
      case "NaN": .nan
      case "Infinity": .infinity
      case "-Infinity": -.infinity
      case _: value.number
      }
    }
  }

  private func values<Value>(
    _ wanted: String, _ convert: (JSON) -> Value?
  ) throws(NpyError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(data.count)
    for (position, element) in data.enumerated() {
      guard let value = convert(element) else {
        throw NpyError("data[\(position)] is not \(wanted)")
      }
      values.append(value)
    }
    return values
  }
}
