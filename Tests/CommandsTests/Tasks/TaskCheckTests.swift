// SPDX-License-Identifier: Apache-2.0

import FileAccess
import JSONDocuments
import Martlet
import ModelFormat
import Testing

/// What `martlet check` says of the tasks of models.
@Suite struct TaskCheckTests {
  /// A model that breaks one rule.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let task: String
    let rule: String
    let severity: String
    let model: @Sendable () -> SmallTaskModel

    init(
      _ task: String, _ rule: String, _ severity: String, _ description: String,
      _ model: @escaping @Sendable () -> SmallTaskModel
    ) {
      (self.task, self.rule, self.severity, self.model) = (task, rule, severity, model)
      testDescription = "\(rule): \(description)"
    }
  }

  static let broken: [Case] = [
    Case("label", "picture-normalization", "error", "none for floats") {
      .classes().changed { $0.inputs[0].processUnits = [] }
    },
    Case("segment", "picture-normalization", "error", "a deviation of 0") {
      .pixels(isSegmenter: true).changed {
        $0.inputs[0].processUnits = [
          .normalization(NormalizationOptions(mean: [0], standardDeviation: [0]))
        ]
      }
    },
    Case("transform", "picture-colors", "error", "gray for three channels") {
      .pixels(isSegmenter: false).changed {
        $0.inputs[0].content = Content(properties: .image(ImageProperties(colorSpace: .grayscale)))
      }
    },
    Case("label", "classes-named", "warning", "no labels") {
      .classes().changed { $0.outputs[0].associatedFiles = [] }
    },
    Case("segment", "classes-named", "warning", "no labels of categories") {
      .pixels(isSegmenter: true).changed { $0.outputs[0].associatedFiles = [] }
    },
    Case("segment", "label-count", "warning", "two labels for three channels") {
      var model = SmallTaskModel.pixels(isSegmenter: true)
      model.files = [("labels.txt", "one\ntwo\n")]
      return model
    },
    Case("segment", "mask-activation", "error", "bytes that are no document") {
      .pixels(isSegmenter: true).changed {
        $0.customMetadata = [CustomMetadata(name: "SEGMENTER_METADATA", data: [1, 2, 3])]
      }
    },
    Case("transform", "output-range", "note", "no statistics") {
      .pixels(isSegmenter: false).changed { $0.outputs[0].stats = nil }
    },
    Case("transform", "output-range", "warning", "nothing between the ends") {
      .pixels(isSegmenter: false).changed {
        $0.outputs[0].stats = Stats(maximum: [1], minimum: [1])
      }
    },
    Case("label", "label-locales", "warning", "two files without languages") {
      .classes().changed { $0.outputs[0].associatedFiles += $0.outputs[0].associatedFiles }
    },
    Case("label", "score-threshold", "warning", "no number") {
      .classes().changed {
        $0.outputs[0].processUnits = [
          .scoreThresholding(ScoreThresholdingOptions(globalScoreThreshold: .nan))
        ]
      }
    },
    Case("label", "score-calibration", "error", "no file") {
      .classes().changed {
        $0.outputs[0].processUnits = [
          .scoreCalibration(ScoreCalibrationOptions(transformation: .log, defaultScore: 0))
        ]
      }
    },
    Case("label", "score-calibration", "warning", "two lines for three classes") {
      var model = SmallTaskModel.classes().changed {
        $0.outputs[0].processUnits = [
          .scoreCalibration(ScoreCalibrationOptions(transformation: .log, defaultScore: 0))
        ]
        $0.outputs[0].associatedFiles.append(
          AssociatedFile(name: "c.txt", kind: .tensorAxisScoreCalibration))
      }
      model.files.append(("c.txt", "1,1,0\n1,1,0\n"))
      return model
    },
    Case("label", "score-metadata", "error", "two outputs described") {
      .classes().changed { $0.outputs.append(TensorMetadata(name: "other")) }
    },
    Case("listen", "input-metadata", "error", "two inputs described") {
      .sound().changed { $0.inputs.append(TensorMetadata(name: "other")) }
    },
    Case("embed", "vectors-named", "note", "no name") {
      .classes().changed { $0.outputs[0] = TensorMetadata() }
    },
    Case("listen", "sound-format", "error", "none") {
      .sound().changed { $0.inputs[0].content = nil }
    },
    Case("listen", "sound-format", "error", "no samples in a second") {
      .sound().changed {
        $0.inputs[0].content = Content(
          properties: .audio(AudioProperties(sampleRate: 0, channels: 1)))
      }
    },
    Case("listen", "sound-window", "error", "400 samples of three channels") {
      .sound().changed {
        $0.inputs[0].content = Content(
          properties: .audio(AudioProperties(sampleRate: 8000, channels: 3)))
      }
    },
    Case("read", "tokenizer", "error", "none") {
      .words().changed { $0.inputs[0].processUnits = [] }
    },
    Case("read", "vocabulary", "error", "lines without numbers") {
      var model = SmallTaskModel.words()
      model.files[0].text = "good\nbad\n"
      return model
    },
    Case("answer", "tokenizer", "error", "of one input") {
      .answers().changed {
        $0.inputs[0].processUnits = $0.inputProcessUnits
        $0.inputProcessUnits = []
      }
    },
    Case("answer", "token-inputs", "warning", "other names") {
      .answers().changed { $0.inputs[1].name = "other" }
    },
    Case("answer", "answer-outputs", "warning", "other names") {
      .answers().changed { $0.outputs[1].name = "other" }
    },
    Case("detect", "detection-outputs", "warning", "names that say nothing") {
      .boxes().changed { $0.outputs = [] }
    },
    Case("detect", "classes-named", "warning", "no labels of things") {
      .boxes().changed { $0.outputs[1].associatedFiles = [] }
    },
    Case("detect", "task-fits", "error", "a classifier") { .classes() },
    Case("listen", "task-fits", "error", "a model of images") { .classes() },
    Case("answer", "task-fits", "error", "one input") { .words() },
  ]

  private func findings(_ line: String) throws -> [(rule: String, severity: String)] {
    let console = CapturedConsole()
    let code = console.run(line + " --json")
    let model = try JSON(parsing: console.output)["models"]?.array?.first
    let found = (model?["findings"]?.array ?? []).map {
      (rule: $0["rule"]?.string ?? "", severity: $0["severity"]?.string ?? "")
    }
    #expect(code == (found.contains { $0.severity == "error" } ? 1 : 0))
    return found
  }

  @Test(arguments: broken)
  func `what a rule asks for is missed, once`(broken: Case) throws {
    let console = CapturedConsole()
    try broken.model().put("m.tflite", console)
    let found = try findings("check \(console.folder)/m.tflite --task \(broken.task)")
    let mine = found.filter { $0.rule == broken.rule }
    #expect(mine.count == 1, "\(found)")
    #expect(mine.first?.severity == broken.severity)
    // Without the task, nobody is refused: the exit code stays 0.
    let free = try findings("check \(console.folder)/m.tflite")
    #expect(free.allSatisfy { $0.severity != "error" }, "\(free)")
  }

  static let sound: [(task: String, model: @Sendable () -> SmallTaskModel)] = [
    ("label", { .classes() }), ("detect", { .boxes() }),
    ("segment", { .pixels(isSegmenter: true) }),
    ("transform", { .pixels(isSegmenter: false) }), ("listen", { .sound() }),
    ("read", { .words() }), ("answer", { .answers() }),
  ]

  @Test func `models with all that a task asks for have no findings, and fit it first`() throws {
    for (task, model) in Self.sound {
      let console = CapturedConsole()
      try model().put("m.tflite", console)
      #expect(try findings("check \(console.folder)/m.tflite --task \(task)").isEmpty, "\(task)")
      let inspection = CapturedConsole()
      #expect(inspection.run("inspect \(console.folder)/m.tflite --json") == 0)
      let fits = try JSON(parsing: inspection.output)["fits"]?.array
      #expect(fits?.first?["task"]?.string == task)
      #expect(fits?.first?["lacks"] == nil)
    }
  }

  @Test func `without metadata, tasks are told by shapes, with what they lack`() throws {
    for (task, model) in Self.sound {
      let console = CapturedConsole()
      try model().bare.put("m.tflite", console)
      let inspection = CapturedConsole()
      #expect(inspection.run("inspect \(console.folder)/m.tflite --json") == 0)
      let fits = try JSON(parsing: inspection.output)["fits"]?.array ?? []
      let fit = fits.first { $0["task"]?.string == task }
      #expect(fit?["lacks"]?.string?.isEmpty == false, "\(task): \(fits)")
    }
  }

  @Test func `findings of tasks are in the SARIF document, with their rules`() throws {
    let console = CapturedConsole()
    try SmallTaskModel.sound().bare.put("m.tflite", console)
    #expect(console.run("check DIR/m.tflite --task listen --sarif DIR/found.sarif") == 1)
    let document = try JSON(parsing: try InputFile.bytes(at: "\(console.folder)/found.sarif"))
    let run = try #require(document["runs"]?.array?.first)
    let rules = run["tool"]?["driver"]?["rules"]?.array ?? []
    let result = try #require(
      run["results"]?.array?.first { $0["ruleId"]?.string == "sound-format" })
    #expect(rules[try #require(result["ruleIndex"]?.integer)]["id"]?.string == "sound-format")
    #expect(console.run("check DIR/m.tflite --task fly") == 64)
  }

  @Test(
    .enabled(if: sharedTaskModels != nil, "no folder tasks in MARTLET_TEST_MODELS"),
    arguments: [
      ("yamnet_audio_classifier_with_metadata.tflite", "listen"), ("deeplabv3.tflite", "segment"),
      ("ssd_mobilenet_v1.tflite", "detect"), ("movenet_lightning_int8.tflite", "pose"),
      ("face_detection_short_range.tflite", "faces"), ("palm_detection_lite.tflite", "hands"),
      ("test_model_nl_classifier_with_regex_tokenizer.tflite", "read"),
      ("regex_one_embedding_with_metadata.tflite", "embed"), ("hand_landmarker.task", "hands"),
      ("face_landmarker.task", "faces"), ("pose_landmarker_lite.task", "pose"),
      ("hair_segmentation_custom_ops.tflite", "segment"), ("yolov8n_int8.tflite", "detect"),
    ])
  func `published models fit their tasks first`(name: String, task: String) throws {
    let console = CapturedConsole()
    let folder = try #require(sharedTaskModels)
    #expect(console.run("inspect \(folder)/\(name) --json") == 0)
    let fits = try JSON(parsing: console.output)["fits"]?.array
    #expect(fits?.first?["task"]?.string == task)
    #expect(fits?.first?["lacks"] == nil)
  }

  /// Models that are parts of others, and those whose outputs have the form of another task.
  @Test(
    .enabled(if: sharedTaskModels != nil, "no folder tasks in MARTLET_TEST_MODELS"),
    arguments: [
      ("iris_landmark.tflite", []), ("hand_recrop.tflite", []),
      ("openwakeword_melspectrogram.tflite", ["listen model of mel spectrograms"]),
      ("microwakeword_alexa.tflite", ["listen"]),
      ("deeplabv3_mnv2_dm05_pascal_quant.tflite", ["segment"]),
      ("hair_segmentation_custom_ops.tflite", ["segment"]), ("yolov8n_int8.tflite", ["detect"]),
    ])
  func `published models fit no task that refuses them`(name: String, tasks: [String]) throws {
    let console = CapturedConsole()
    #expect(console.run("inspect \(try #require(sharedTaskModels))/\(name) --json") == 0)
    let fits = try JSON(parsing: console.output)["fits"]?.array ?? []
    let found = fits.map { fit in
      [fit["task"], fit["part"]].compactMap { $0?.string }.joined(separator: " ")
    }
    #expect(found == tasks)
  }

  @Test(.enabled(if: sharedTaskModels != nil, "no folder tasks in MARTLET_TEST_MODELS"))
  func `the operator that one command brings`() throws {
    let model =
      "\(try #require(sharedTaskModels))/"
      + "posenet_mobilenet_v1_075_481_641_16_quant_decoder.tflite"
    let found = try findings("check \(model)")
    #expect(found.map(\.rule) == ["operator-known"] && found.map(\.severity) == ["note"])
    let console = CapturedConsole()
    #expect(console.run("inspect \(model)") == 0)
    #expect(console.text.contains("runs with 'martlet pose' alone"))
    #expect(!console.text.contains("not supported"))
    let run = CapturedConsole()
    #expect(run.run("run \(model) --fill zeros") == 65)
    #expect(run.errors.contains("hint: 'martlet pose MODEL IMAGE…' brings it"))
  }

  @Test(.enabled(if: sharedTaskModels != nil, "no folder tasks in MARTLET_TEST_MODELS"))
  func `bundles that lack a model`() throws {
    let folder = try #require(sharedTaskModels)
    let found = try findings("check \(folder)/hand_gesture_recognizer.task")
    #expect(found.map(\.rule) == ["bundle-parts", "bundle-parts"])
    #expect(
      try !findings("check \(folder)/pose_landmarker_lite.task").contains {
        $0.rule == "bundle-parts"
      })
    let other = try findings("check \(folder)/pose_landmarker_lite.task --task hands")
    #expect(other.contains { $0.rule == "task-fits" && $0.severity == "error" })
  }
}
