// SPDX-License-Identifier: Apache-2.0
//
// The form: Open Inference Protocol, version 2, "Inference Request JSON Object".

package import JSONDocuments
import Npy
package import Tensors

/// A tensor of a request: its name, its shape, and its values as they were written.
package struct InferenceTensor {
  /// The name of the model's input that it is for.
  package let name: String
  /// The lengths of its axes.
  package let shape: Shape
  /// The type of its elements.
  package let datatype: InferenceDatatype
  /// The values in row-major order.
  package let data: [JSON]
  /// Where the tensor lies in the input.
  package let location: String

  /// The tensor that the members of a JSON object describe.
  ///
  /// The values are one list, or lists in lists as deep as the shape.
  ///
  /// - Throws: `InferenceTensorError` about the member that is missing or malformed.
  package init(_ members: [String: JSON], at location: String) throws(InferenceTensorError) {
    guard let name = members["name"]?.string else {
      throw InferenceTensorError(.request, "no 'name' that is a string", at: location)
    }
    guard let word = members["datatype"]?.string, let datatype = InferenceDatatype(rawValue: word)
    else {
      let known = InferenceDatatype.allCases.map(\.rawValue).joined(separator: ", ")
      throw InferenceTensorError(.request, "no 'datatype' out of \(known)", at: location)
    }
    shape = try Self.shape(members["shape"], at: location)
    guard let values = members["data"]?.array else {
      throw InferenceTensorError(.request, "no 'data' that is a list", at: location)
    }
    data = try Self.flat(values, shape, at: location)
    self.name = name
    self.datatype = datatype
    self.location = location
  }

  private static func shape(_ value: JSON?, at location: String) throws(InferenceTensorError)
    -> Shape
  {
    let dimensions = value?.array?.map(\.integer)
    guard let dimensions, !dimensions.contains(nil) else {
      throw InferenceTensorError(
        .request, "no 'shape' that is a list of whole numbers", at: location)
    }
    do throws(ShapeError) { return try Shape(dimensions.compactMap(\.self)) } catch {
      throw InferenceTensorError(.tensor, "\(error)", at: location)
    }
  }

  /// Values in one list, whose number is the shape's.
  private static func flat(
    _ values: [JSON], _ shape: Shape, at location: String
  ) throws(InferenceTensorError) -> [JSON] {
    var values = values
    // The outermost list is there already.
    for dimension in shape.dimensions.dropFirst() where values.first?.array != nil {
      var inner: [JSON] = []
      for value in values {
        guard let row = value.array, row.count == dimension else {
          throw InferenceTensorError(
            .tensor, "the lists in 'data' are not those of \(shape)", at: location)
        }
        inner += row
      }
      values = inner
    }
    guard values.count == shape.elementCount else {
      throw InferenceTensorError(
        .tensor, "\(values.count) values in 'data' for shape \(shape)", at: location)
    }
    return values
  }

  /// The values as the engine stores them in a tensor of `elementType`.
  ///
  /// - Throws: `InferenceTensorError` where the datatype is another or a value does not fit it.
  package func bytes(as elementType: ElementType) throws(InferenceTensorError) -> [UInt8] {
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
      throw InferenceTensorError(.tensor, error.reason, at: "\(location) '\(name)'")
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
