// SPDX-License-Identifier: Apache-2.0

package import Martlet
import ModelFormat
import Npy
package import Tensors
package import ImageInputs

extension RunInputs {
  /// What an input's content means: a shape, where it has one of its own, and the bytes as the
  /// engine stores them.
  package struct Value {
    package let shape: Shape?
    package let bytes: [UInt8]
    /// What is said where an image does not fit the input.
    package let warning: String?

    package init(shape: Shape?, bytes: [UInt8], warning: String? = nil) {
      self.shape = shape
      self.bytes = bytes
      self.warning = warning
    }
  }

  package static func prepare(
    _ given: [Int: Given], _ interpreter: Interpreter, images: Preprocessing
  ) throws(CommandError) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for (position, entry) in given {
      let info = interpreter.inputs[position]
      let name = "input '\(info.label)'"
      guard let type = info.type else { throw .data("\(name) has no type", location: entry.file) }
      switch entry.content {
      case .array(let array):
        do throws(NpyError) {
          values[position] = Value(
            shape: array.shape, bytes: try array.tensorBytes(as: type.elementType))
        } catch {
          throw .data("\(error.reason), \(name)", location: entry.file)
        }
      case .raw(let bytes):
        guard let wanted = type.byteCount, bytes.count == wanted else {
          let wanted = type.byteCount.map { "\($0) bytes" } ?? "an npy file"
          throw .data(
            "\(bytes.count) bytes for \(name) of \(type), wanted \(wanted)", location: entry.file)
        }
        values[position] = Value(shape: nil, bytes: bytes)
      case .image(let bytes):
        values[position] = try image(bytes, position, interpreter, images, file: entry.file)
      case .archive:
        throw .data("an archive where \(name) needs an array", location: entry.file)
      }
    }
    return values
  }

  private static func image(
    _ bytes: [UInt8], _ position: Int, _ interpreter: Interpreter, _ preprocessing: Preprocessing,
    file: String
  ) throws(CommandError) -> Value {
    let image = try decodedImage(bytes, path: file, limits: interpreter.model.limits)
    let info = interpreter.inputs[position]
    do throws(ImageTensorInput.Refusal) {
      let image = try ImageTensorInput(
        image, for: info, notes: interpreter.notes(position), preprocessing)
      return Value(shape: image.shape, bytes: image.bytes, warning: image.warning)
    } catch {
      throw .data("\(error.reason), input '\(info.label)'", location: file, hint: error.hint)
    }
  }

  package func madeUp(
    _ info: Interpreter.TensorInfo, _ fill: inout InputFill?, range: ClosedRange<Int>?,
    model: String
  ) throws(CommandError) -> [UInt8] {
    guard let type = info.type else {
      throw .data("input '\(info.label)' has no type", location: model)
    }
    var emptyStrings = InputFill(.zeros, seed: 0)
    do throws(NpyError) {
      if let bytes = try fill?.bytes(for: type, range: range) { return bytes }
      if let bytes = try emptyStrings.bytes(for: type) { return bytes }
    } catch {
      throw .data("\(error.reason), input '\(info.label)'", location: model)
    }
    throw .data("no values can be made up for input '\(info.label)' of \(type)", location: model)
  }
}
