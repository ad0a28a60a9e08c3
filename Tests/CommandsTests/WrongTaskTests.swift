// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import JSONDocuments
import Npy
import Tensors
import TestSupport
import Testing

/// Errors of models that do not fit a command: each names what fits.
@Suite struct WrongTaskTests {
  private let digits: String
  private let localizer: String
  private let sample: String

  init() throws {
    digits = try BundledModels.path(of: BundledModels.digits)
    localizer = try BundledModels.path(of: BundledModels.localizer)
    sample = try BundledModels.path(of: BundledModels.digitSamples[4])
  }

  private func hint(_ line: String, _ console: CapturedConsole = CapturedConsole()) -> String {
    #expect(console.run(line) == 65, "\(line)")
    let lines = console.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("error: "), "\(console.errors)")
    return String(lines.last ?? "")
  }

  @Test func `a detector that is to label, and a classifier that is to detect`() {
    #expect(hint("label \(localizer) \(sample)").contains("'martlet detect MODEL IMAGE…'"))
    #expect(hint("detect \(digits) \(sample)").contains("'martlet label MODEL IMAGE…'"))
    #expect(hint("detect \(localizer) \(sample) --anchors ssd").contains("need no --anchors"))
    #expect(hint("eval \(digits) --task detect --truth x.json").contains("'martlet label"))
    #expect(hint("worker --task detect --model \(digits)").contains("'martlet label"))
    #expect(hint("worker --task label --model \(localizer)").contains("'martlet detect"))
  }

  @Test func `a detector as a classifier is named, not the model beside it`() {
    let console = CapturedConsole()
    let line = "detect \(localizer) \(sample) --classifier \(localizer)"
    #expect(hint(line, console).contains("'martlet detect MODEL"))
  }

  @Test func `a bundle where a model is wanted, and a model without a rate`() throws {
    let console = CapturedConsole()
    try console.put([0, 0] + Array("PK\u{3}\u{4}a bundle".utf8), "x.task")
    let path = "\(console.folder)/x.task"
    #expect(hint("run \(path) --fill zeros") == "hint: 'martlet inspect \(path)' says which do")
    try console.put(try SmallTaskModel.sound().bare.bytes(), "sound.tflite")
    let sound = hint("listen \(console.folder)/sound.tflite \(sample)")
    for option in ["--model-rate", "--features", "--melspectrogram", "'martlet inspect"] {
      #expect(sound.contains(option), "\(sound)")
    }
  }

  @Test func `models that take no image`() {
    let model = "\(Goldens.add)/model.tflite"
    for line in ["label \(model) \(sample)", "detect \(model) \(sample)"] {
      #expect(hint(line).contains("'martlet run MODEL --input FILE'"))
    }
    #expect(hint("preprocess \(model) \(sample) -o DIR").contains("'martlet run"))
    #expect(hint("report \(model) --image \(sample) -o DIR/r.html").contains("'martlet run"))
  }

  /// The classifier in float32 without its metadata.
  private func floatModel(_ console: CapturedConsole) throws -> String {
    let model = digits.replacing("_int8", with: "_float32")
    let stripping = CapturedConsole()
    #expect(stripping.run("metadata strip \(model) -o \(console.folder)/bare.tflite") == 0)
    return "\(console.folder)/bare.tflite"
  }

  @Test func `float models without metadata: the usual options are named, and help`() throws {
    let console = CapturedConsole()
    let model = try floatModel(console)
    for line in [
      "label \(model) \(sample)", "run \(model) -i \(sample)", "trace \(model) -i \(sample)",
      "preprocess \(model) \(sample) -o DIR", "worker --model \(model)",
      "embed \(model) \(sample)",
    ] {
      let hint = hint(line)
      #expect(hint.contains("--mean 127.5 --std 127.5"), "\(line)")
      #expect(hint.contains("--mean 0 --std 255"), "\(line)")
    }
    let bare = CapturedConsole()
    #expect(bare.run("run \(model) -i \(sample) --mean 0 --std 255 -o DIR") == 0)
    let whole = CapturedConsole()
    let original = digits.replacing("_int8", with: "_float32")
    #expect(whole.run("run \(original) -i \(sample) -o DIR") == 0)
    #expect(
      try NpyArray(contentsOf: bare.folder + "/out_0.npy")
        == NpyArray(contentsOf: whole.folder + "/out_0.npy"))
  }

  @Test func `quantized inputs that hold other values than bytes are told of, with what fits`()
    throws
  {
    let console = CapturedConsole()
    let stripping = CapturedConsole()
    #expect(stripping.run("metadata strip \(digits) -o \(console.folder)/bare.tflite") == 0)
    let model = "\(console.folder)/bare.tflite"
    for line in ["label \(model) \(sample)", "run \(model) -i \(sample)"] {
      let run = CapturedConsole()
      #expect(run.run(line) == 0)
      #expect(run.errors.contains("warning: the input holds values from 0 to 1, but without"))
      #expect(run.errors.contains("hint: --mean 0 --std 255 fits the input\n"), "\(run.errors)")
      let fitting = CapturedConsole()
      #expect(fitting.run("\(line) --mean 0 --std 255") == 0)
      #expect(!fitting.errors.contains("warning: "))
    }
    let whole = CapturedConsole()
    #expect(whole.run("label \(digits) \(sample)") == 0)
    #expect(whole.errors == "")
  }

  @Test func `images of run are prepared as the options say`() throws {
    func output(_ options: String) throws -> NpyArray {
      let console = CapturedConsole()
      #expect(console.run("run \(digits) -i \(sample) -o DIR \(options)") == 0)
      return try NpyArray(contentsOf: console.folder + "/out_0.npy")
    }
    let plain = try output("")
    #expect(try output("--mean 0 --std 255 --fit stretch --filter bilinear") == plain)
    // The metadata's deviation stays where the mean alone is given, and the other way round.
    #expect(try output("--mean 0") == plain)
    #expect(try output("--std 255") == plain)
    #expect(try output("--mean 127.5") != plain)
  }

  @Test func `one of mean and deviation leaves the metadata's other`() throws {
    for (options, mean, deviation) in [("--mean 10", 10.0, 255.0), ("--std 100", 0, 100)] {
      let console = CapturedConsole()
      let line = "preprocess \(digits) \(sample) -o DIR --json \(options)"
      #expect(console.run(line) == 0)
      let normalization = try JSON(parsing: console.output)["normalization"]
      #expect(normalization?["mean"]?.array?.allSatisfy { $0.number == mean } == true)
      #expect(normalization?["std"]?.array?.allSatisfy { $0.number == deviation } == true)
    }
  }

  @Test func `labels that do not fit are the file's fault`() throws {
    let console = CapturedConsole()
    try console.put(Array("one\ntwo\n".utf8), "wrong.txt")
    #expect(console.run("label \(digits) \(sample) --labels DIR/wrong.txt") == 65)
    #expect(
      console.errors.hasPrefix("error: 2 labels for output 0 of the model, which has 10 classes ("))
    #expect(console.errors.hasSuffix("/wrong.txt)\n"))
  }

  @Test func `classes without names are told of, with the option that names them`() throws {
    let console = CapturedConsole()
    let model = try floatModel(console)
    #expect(console.run("label \(model) \(sample) --mean 0 --std 255") == 0)
    #expect(console.text.contains("\n  class 4  "))
    #expect(console.errors.hasPrefix("hint: the model has no labels; --labels FILE names"))
  }

  @Test func `a folder that is to be labeled`() throws {
    let folder = try #require(Folder.parent(of: sample))
    let console = CapturedConsole()
    #expect(console.run("label \(digits) \(folder)") == 64)
    #expect(console.errors.contains("hint: '\(folder)/*.png' names images in it; 'martlet eval'"))
  }

  @Test func `options that bytes have no use for are told of`() {
    let console = CapturedConsole()
    let model = digits.replacing("_int8", with: "_uint8")
    for line in ["label \(model) \(sample)", "run \(model) -i \(sample)"] {
      let run = CapturedConsole()
      #expect(run.run("\(line) --mean 1") == 0)
      #expect(run.errors.contains("--mean and --std change nothing\n"))
    }
    #expect(console.run("label \(model) \(sample)") == 0)
    #expect(console.errors == "")
  }

  @Test(.enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS is not set"))
  func `published models of other tasks`() {
    let nets = "\(sharedModels ?? "")/nets"
    for (line, part) in [
      ("label \(nets)/det_ssd_mobilenet_v1_coco_md", "'martlet detect MODEL IMAGE…'"),
      ("detect \(nets)/det_yolo_fastest_person_int8", "grids, as YOLO's"),
      ("detect \(nets)/face_blazeface_short_fp16", "short-range-faces"),
      ("detect \(nets)/cls_cifar_resnet_float", "'martlet label MODEL IMAGE…'"),
      ("label \(nets)/seg_selfie_landscape_fp16_customop", "--image OUT.png"),
      ("label \(nets)/det_tflm_rf_keras_int8", "images of 1 or 4 channels"),
    ] {
      #expect(hint("\(line)/model.tflite \(sample)").contains(part), "\(line)")
    }
  }
}
