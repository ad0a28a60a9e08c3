// SPDX-License-Identifier: Apache-2.0

import Compression
import FlatBuffers
import Martlet

/// A detector without operators: it takes an image and always answers with the same numbers.
///
/// The slots are those of the schema's tables.
struct DetectorModel {
  /// One input or output.
  struct Tensor {
    var name: String
    var shape: [Int32]
    /// The schema's number of the element type: 0 for float32, 3 for uint8.
    var type: Int8 = 0
    var values: [Float] = []
    /// What makes int8 of the values; nil for floats.
    var quantization: (scale: Float, zeroPoint: Int)?
  }

  /// The image that goes in.
  var input = Tensor(name: "image", shape: [1, 4, 4, 3], type: 3)
  /// What comes out.
  var outputs: [Tensor]
  /// What the metadata says about the input; none without metadata.
  var inputNotes: FlatTable?
  /// What the metadata says about the outputs; none without metadata.
  var outputNotes: [FlatTable] = []
  /// Named bytes in the metadata, for programs that know them.
  var custom: [(name: String, bytes: [UInt8])] = []
  /// Files packed into the model, by name.
  var files: [(name: String, content: String)] = []

  /// Boxes (top, left, bottom, right), classes, scores and a count, in TensorFlow 1's order.
  init(boxes: [[Float]], classes: [Float], scores: [Float], count: Float? = nil) {
    let number = Int32(scores.count)
    outputs = [
      Tensor(name: "a", shape: [1, number, 4], values: boxes.flatMap(\.self)),
      Tensor(name: "b", shape: [1, number], values: classes),
      Tensor(name: "c", shape: [1, number], values: scores),
      Tensor(name: "d", shape: [1], values: [count ?? Float(number)]),
    ]
  }

  /// The same detections in TensorFlow 2's order.
  var inSecondOrder: DetectorModel {
    var model = self
    model.outputs = [outputs[2], outputs[0], outputs[3], outputs[1]]
    return model
  }

  private var metadata: [UInt8] {
    let custom = custom.map {
      FlatTable([0: .string($0.name), 1: .bytes($0.bytes, alignment: 16)])
    }
    let main = FlatTable([
      2: .tables(inputNotes.map { [$0] } ?? []), 3: .tables(outputNotes), 9: .tables(custom),
    ])
    return FlatTable([3: .tables([main])]).serialized(identifier: "M001")
  }

  private static func bytes(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
  }

  /// The tables of the tensors and of their buffers; buffer 0 is that of the input.
  private var contents: (tensors: [FlatTable], buffers: [FlatTable]) {
    var tensors: [FlatTable] = []
    var buffers: [FlatTable] = []
    for tensor in [input] + outputs {
      var fields: [Int: FlatField] = [
        0: .ints(tensor.shape), 1: .int(tensor.type), 2: .int(UInt32(buffers.count)),
        3: .string(tensor.name),
      ]
      var bytes = Self.bytes(tensor.values)
      if let (scale, zeroPoint) = tensor.quantization {
        fields[4] = .table(
          FlatTable([2: .floats([scale]), 3: .ints([Int64(zeroPoint)])]))
        bytes = tensor.values.map { value in
          UInt8(
            bitPattern: Int8(clamping: Int((value / scale).rounded(.toNearestOrEven)) + zeroPoint))
        }
      }
      tensors.append(FlatTable(fields))
      buffers.append(bytes.isEmpty ? FlatTable() : FlatTable([0: .bytes(bytes, alignment: 16)]))
    }
    return (tensors, buffers)
  }

  /// The file.
  func bytes() throws -> [UInt8] {
    var (tensors, buffers) = contents
    var entries: [FlatTable] = []
    if inputNotes != nil || !outputNotes.isEmpty || !custom.isEmpty {
      entries.append(
        FlatTable([0: .string("TFLITE_METADATA"), 1: .int(UInt32(buffers.count))]))
      buffers.append(FlatTable([0: .bytes(metadata, alignment: 16)]))
    }
    let subgraph = FlatTable([
      0: .tables(tensors), 1: .ints([Int32(0)]),
      2: .ints(outputs.indices.map { Int32($0 + 1) }), 3: .tables([]),
    ])
    let root = FlatTable([
      0: .int(UInt32(3)), 1: .tables([]), 2: .tables([subgraph]), 4: .tables(buffers),
      6: .tables(entries),
    ])
    let bytes = root.serialized(identifier: "TFL3")
    guard !files.isEmpty else { return bytes }
    var zip = ZipWriter(baseOffset: bytes.count)
    for file in files { try zip.add(file.name, Array(file.content.utf8).span, method: .stored) }
    return bytes + (try zip.finish())
  }

  func model() throws -> Model { try Model(bytes: bytes()) }
}
