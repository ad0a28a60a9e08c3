// SPDX-License-Identifier: Apache-2.0

import BundledModels
import FileAccess
import ModelSchema
import Npy
import Tensors
import TestSupport
import Testing

/// Models of tasks that show what went in, and what they are asked about, in a console's folder.
enum SmallTaskModels {
  /// The tasks that small models, and the bundled ones, answer: the word of `--task`, options, the
  /// options that only the command has, the model, and what it is asked about.
  struct Case: CustomTestStringConvertible {
    let task: String
    let options: String
    var commandOptions = ""
    let model: String
    let subjects: [String]
    var testDescription: String { "\(task) \(options)" }
  }

  static let cases = [
    Case(
      task: "segment", options: "--activation softmax", model: "DIR/segment.tflite",
      subjects: ["DIR/3.png", "DIR/7.png"]),
    Case(
      task: "transform", options: "--keep-size", commandOptions: "-o DIR/made/",
      model: "DIR/segment.tflite", subjects: ["DIR/3.png", "DIR/7.png"]),
    Case(
      task: "pose", options: "--threshold 0", model: "DIR/pose.tflite",
      subjects: ["DIR/3.png", "DIR/7.png"]),
    Case(
      task: "pose", options: "--threshold 0 --video --fps 5", model: "DIR/pose.tflite",
      subjects: ["DIR/3.png", "DIR/7.png"]),
    Case(
      task: "embed", options: "--normalize", model: "DIR/digits.tflite",
      subjects: ["DIR/3.png", "DIR/7.png"]),
    Case(
      task: "listen", options: "--model-rate 8000 --top 2", model: "DIR/listen.tflite",
      subjects: ["DIR/ramp.wav", "DIR/silence.wav"]),
    Case(
      task: "label", options: "--threshold 0.9", model: "DIR/digits.tflite",
      subjects: ["DIR/3.png", "DIR/7.png"]),
    Case(
      task: "detect", options: "--threshold 0.99", model: "DIR/localizer.tflite",
      subjects: ["DIR/3.png", "DIR/scene.png"]),
    Case(
      task: "detect", options: "--outputs obb", model: "DIR/rotated.tflite",
      subjects: ["DIR/3.png", "DIR/scene.png"]),
  ]

  /// A console with all of it in its folder.
  static func console() throws -> CapturedConsole {
    let console = CapturedConsole()
    for (name, file) in [
      ("digits.tflite", BundledModels.digits), ("localizer.tflite", BundledModels.localizer),
      ("3.png", BundledModels.digitSamples[3]), ("7.png", BundledModels.digitSamples[7]),
      ("scene.png", BundledModels.localizerSamples[0]),
    ] {
      try console.put(try InputFile.bytes(at: try BundledModels.path(of: file)), name)
    }
    try console.put(passing([1, 8, 8, 3], from: .uint8, by: .cast), "segment.tflite")
    try console.put(passing([1, 4], from: .float32, by: .abs), "listen.tflite")
    try console.put(pose, "pose.tflite")
    try console.put(rotated, "rotated.tflite")
    try console.put(wave((0..<10).map { Int16($0 * 3000) }), "ramp.wav")
    try console.put(wave([Int16](repeating: 0, count: 4)), "silence.wav")
    return console
  }

  /// The output is what one operator makes of each number.
  private static func passing(
    _ shape: [Int], from type: ElementType, by code: OperatorCode
  ) -> [UInt8] {
    var model = DrawnModel()
    let (input, output) = (model.tensor(shape, type), model.tensor(shape))
    model.node(code, [input], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return model.bytes
  }

  /// The 17 points of a person are the pixels of a column.
  private static var pose: [UInt8] {
    var model = DrawnModel()
    let (input, output) = (model.tensor([1, 17, 1, 3]), model.tensor([1, 1, 17, 3]))
    let shape = model.constant([1, 1, 17, 3])
    model.node(.reshape, [input, shape], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return model.bytes
  }

  /// The output are two rows of rotated boxes, whatever the image.
  private static var rotated: [UInt8] {
    let rows: [Float] = [0.5, 0.5, 0.5, 0.25, 0.9, 0, 0.5, 0.25, 0.75, 0.25, 0.125, 0.5, 1, 0]
    let bytes = rows.flatMap { row in
      (0..<4).map { UInt8(truncatingIfNeeded: row.bitPattern >> (8 * $0)) }
    }
    var model = DrawnModel()
    let input = model.tensor([1, 64, 64, 3], .uint8)
    let output = model.tensor([1, 2, 7], bytes: bytes)
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return model.bytes
  }

  /// A WAV file of one channel at 8000 Hz.
  private static func wave(_ samples: [Int16]) -> [UInt8] {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let data = samples.flatMap { bytes($0) }
    let format =
      bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(8000)) + bytes(UInt32(16000))
      + bytes(UInt16(2)) + bytes(UInt16(16))
    let content =
      Array("WAVEfmt ".utf8) + bytes(UInt32(16)) + format + Array("data".utf8)
      + bytes(UInt32(data.count)) + data
    return Array("RIFF".utf8) + bytes(UInt32(content.count)) + content
  }
}

extension CapturedConsole {
  /// The pixels of an image in the folder: red, green, blue, alpha.
  func pixels(_ name: String) throws -> (width: Int, height: Int, bytes: [UInt8]) {
    #expect(run("image decode DIR/\(name) -o DIR/\(name).npy") == 0)
    let file = try InputFile.bytes(at: "\(folder)/\(name).npy")
    let array = try NpyArray(parsing: file.span)
    return (array.shape[1], array.shape[0], array.bytes)
  }
}
