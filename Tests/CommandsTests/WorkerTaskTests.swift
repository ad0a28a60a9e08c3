// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import Foundation
import JSONDocuments
import Testing

/// The tasks of martlet worker.
@Suite struct WorkerTaskTests {
  /// What the command says of each subject, without the members that name it or others.
  private static func said(_ console: CapturedConsole) throws -> [JSON] {
    let document = try JSON(parsing: console.output)
    let subjects = document["images"] ?? document["sounds"] ?? document["texts"]
    return try #require(subjects?.array).map {
      $0.without(["image", "sound", "text", "annotated", "cosine_similarities"])
    }
  }

  /// Answers without the members that each has.
  private static func answered(_ console: CapturedConsole) throws -> [JSON] {
    try console.answers.map {
      $0.without(["id", "model_sha256", "timing_ms", "image_base64"])
    }
  }

  /// Records about these subjects: by path, and with the bytes in them.
  private static func records(_ subjects: [String], _ folder: String) throws -> [[JSON]] {
    let paths = subjects.map { $0.replacing("DIR", with: folder) }
    let named = paths.map { JSON.record(["path": .string($0)]) }
    let carried = try paths.map { path in
      let bytes = Data(try InputFile.bytes(at: path)).base64EncodedString()
      let member = path.hasSuffix("wav") ? "sound_base64" : "image_base64"
      return JSON.object([JSON.Member(member, .string(bytes))])
    }
    return [named, carried]
  }

  @Test(arguments: SmallTaskModels.cases)
  func `answers are what the command says`(task: SmallTaskModels.Case) throws {
    let console = try SmallTaskModels.console()
    let line = "\(task.model) \(task.subjects.joined(separator: " ")) \(task.options)"
    #expect(console.run("\(task.task) \(line) \(task.commandOptions) --json") == 0)
    let expected = try Self.said(console)
    #expect(expected.count == task.subjects.count)
    #expect(expected.allSatisfy { !($0.members ?? []).isEmpty })
    let jobs = task.options.contains("--video") ? 1 : 2
    for records in try Self.records(task.subjects, console.folder) {
      let worker = try SmallTaskModels.console()
      let code = worker.work(
        "--task \(task.task) --model \(task.model) \(task.options) --jobs \(jobs)", records)
      #expect(code == 0, "\(worker.errors)")
      #expect(try Self.answered(worker) == expected)
    }
  }

  @Test func `images that are made are in answers`() throws {
    let console = try SmallTaskModels.console()
    #expect(console.run("transform DIR/segment.tflite DIR/3.png -o DIR/made.png") == 0)
    let file = try InputFile.bytes(at: "\(console.folder)/made.png")
    let record = JSON.record(["path": .string("\(console.folder)/3.png")])
    let worker = try SmallTaskModels.console()
    #expect(worker.work("--task transform -m DIR/segment.tflite", [record]) == 0)
    let answer = try #require(try worker.answers.first)
    let bytes = Data(base64Encoded: answer["image_base64"]?.string ?? "")
    #expect(bytes.map { Array($0) } == file)
    // What one worker made, another one takes.
    let next = try SmallTaskModels.console()
    let made = JSON.record(["image_base64": answer["image_base64"]])
    #expect(next.work("--task transform -m DIR/segment.tflite", [made]) == 0)
    #expect(try next.answers.first?["width"] == answer["width"])
  }

  @Test func `an index is searched`() throws {
    let console = try SmallTaskModels.console()
    #expect(console.run("embed DIR/digits.tflite DIR/3.png DIR/7.png --add DIR/index") == 0)
    console.input = WorkerRecords.lines([["path": .string("\(console.folder)/7.png")]])
    let search = CapturedConsole()
    search.input = console.input
    let options = "--model \(console.folder)/digits.tflite --search \(console.folder)/index"
    #expect(search.run("worker --task embed \(options) --top 1") == 0)
    let neighbors = try search.answers.first?["neighbors"]?.array
    #expect(neighbors?.map { $0["name"]?.string } == ["\(console.folder)/7.png"])
  }

  private static let hostile = [
    ("segment", #"{"path": "DIR/ramp.wav"}"#, "bad_image"),
    ("segment", #"{"path": "DIR/none.png"}"#, "not_found"),
    ("segment", #"{"image_base64": "AAAA"}"#, "bad_image"),
    ("segment", #"{"sound_base64": "AAAA"}"#, "bad_request"),
    ("segment", #"{"text": "words"}"#, "bad_request"),
    ("segment", #"{"inputs": []}"#, "bad_request"),
    ("segment", #"{"path": "DIR/3.png", "question": "why"}"#, "bad_request"),
    ("listen", #"{"path": "DIR/3.png"}"#, "bad_sound"),
    ("listen", #"{"path": "/dev/zero"}"#, "not_found"),
    ("listen", #"{"sound_base64": ""}"#, "bad_sound"),
    ("listen", #"{"sound_base64": "UklGRgAAAABXQVZF"}"#, "bad_sound"),
    ("listen", #"{"sound_base64": "?"}"#, "bad_request"),
    ("listen", #"{"sound_base64": 7}"#, "bad_request"),
    ("listen", #"{"image_base64": "AAAA"}"#, "bad_request"),
    ("listen", #"{"inputs": []}"#, "bad_request"),
    ("listen", #"{"path": "DIR/ramp.wav", "outputs": []}"#, "bad_request"),
    ("listen", #"{"path": "DIR/ramp.wav", "sound_base64": ""}"#, "bad_request"),
    ("listen", #"{"#, "bad_json"),
  ]

  @Test(arguments: hostile)
  func `records that cannot be answered`(task: String, line: String, code: String) throws {
    let console = try SmallTaskModels.console()
    let good = task == "listen" ? "ramp.wav" : "3.png"
    let lines = [line, #"{"path": "DIR/\#(good)"}"#].map {
      $0.replacing("DIR", with: console.folder)
    }
    let options = "--task \(task) --model DIR/\(task).tflite --keep-going"
    #expect(
      console.work(task == "listen" ? options + " --model-rate 8000" : options, lines: lines) == 0)
    // The record behind is answered.
    #expect(try console.codes == [code, nil], "\(console.text)")
  }

  @Test(arguments: [
    ("--task pose", "--task pose without --model"),
    (
      "--task pose --model DIR/pose.tflite --video --jobs 2",
      "--video beside --jobs 2: one job tracks what moves, record by record"
    ),
    (
      "--task detect --track --jobs 3",
      "--track beside --jobs 3: one job tracks what moves, record by record"
    ),
    ("--task pose --model DIR/pose.tflite --fps 5", "--fps without --video"),
    (
      "--task transform --model DIR/segment.tflite --video",
      "--video beside --task transform, which has no use for it"
    ),
    ("--task label --question x", "--question beside --task label, which has no use for it"),
    (
      "--task read --model DIR/pose.tflite --hop 3",
      "--hop beside --task read, which has no use for it"
    ),
    (
      "--task detect --anchors ssd --scores loud",
      "'loud' for '--scores', wanted identity or sigmoid or softmax"
    ),
    (
      "--task listen --model DIR/listen.tflite --embedding x",
      "--melspectrogram and --embedding go together"
    ),
  ])
  func `command lines that make no sense are refused`(options: String, message: String) throws {
    let console = try SmallTaskModels.console()
    #expect(console.run("worker \(options)") == 64)
    #expect(console.errors.hasPrefix("error: \(message) (martlet worker)\n"), "\(console.errors)")
    #expect(console.text == "")
  }

  @Test(arguments: ["segment", "faces", "hands", "pose", "transform", "listen", "read"])
  func `a model of another task is the command's error`(task: String) throws {
    let console = try SmallTaskModels.console()
    let options = task == "hands" ? "--landmarks DIR/digits.tflite" : ""
    let record = #"{"path": "\#(console.folder)/3.png"}"#
    let code = console.work("--task \(task) -m DIR/digits.tflite \(options)", lines: [record])
    #expect(code == 65, "\(console.text)")
    #expect(console.text == "")
  }

  @Test func `shards together are the whole, and what is answered is passed over`() throws {
    let folder = try SmallTaskModels.console()
    let names = ["3.png", "none.png", "7.png", "scene.png", "3.png"]
    let records = names.enumerated().map { number, name in
      JSON.record(["id": .integer(number), "path": .string("\(folder.folder)/\(name)")])
    }
    let options = "--task segment -m \(folder.folder)/segment.tflite --no-timing --keep-going"
    let whole = CapturedConsole()
    #expect(whole.work(options, records) == 0, "\(whole.errors)")
    let lines = whole.text.split(separator: "\n")
    try #require(lines.count == 5)
    for index in 0..<2 {
      let part = CapturedConsole()
      #expect(part.work("\(options) --shard \(index)/2", records) == 0)
      #expect(
        part.text.split(separator: "\n")
          == lines.indices.filter { ($0 + 1) % 2 == index }.map { lines[$0] })
    }
    let rest = CapturedConsole()
    try rest.put(Array((lines[0] + "\n" + lines[3] + "\n").utf8), "earlier")
    #expect(rest.work("\(options) --resume DIR/earlier", records) == 0)
    #expect(rest.text.split(separator: "\n") == [lines[1], lines[2], lines[4]])
  }

  /// Published models, where they are: the task with its options, the model, and what it is asked.
  private static let published = [
    ("faces", "face_landmarker.task", "rs_face.jpg"),
    ("faces", "face_detection_short_range.tflite", "rs_face.jpg"),
    ("hands", "gesture_recognizer.task", "rs_thumbs_up.jpg"),
    ("pose", "pose_landmarker_lite.task", "samples_pose.jpg"),
    ("listen", "yamnet_audio_classifier_with_metadata.tflite", "two_heads.wav"),
    ("read", "test_model_nl_classifier_with_regex_tokenizer.tflite", "great"),
    ("embed", "regex_one_embedding_with_metadata.tflite", "great"),
  ]

  @Test(
    .enabled(if: sharedTaskModels != nil, "no folder tasks in MARTLET_TEST_MODELS"),
    arguments: published)
  func `published models answer as their commands`(
    task: String, model: String, subject: String
  ) throws {
    let folder = try #require(sharedTaskModels)
    let isFile = subject.contains(".")
    let asked = isFile ? "\(folder)/\(subject)" : subject
    let command = CapturedConsole()
    #expect(command.run("\(task) \(folder)/\(model) \(asked) --json") == 0, "\(command.errors)")
    let worker = CapturedConsole()
    let record = JSON.object([JSON.Member(isFile ? "path" : "text", .string(asked))])
    #expect(
      worker.work("--task \(task) -m \(folder)/\(model)", [record]) == 0, "\(worker.errors)")
    #expect(try Self.answered(worker) == (try Self.said(command)))
    #expect(try worker.answers.first?["model_sha256"]?.string?.count == 64)
  }
}

extension JSON {
  /// The object without some members.
  fileprivate func without(_ keys: Set<String>) -> JSON {
    .object((members ?? []).filter { !keys.contains($0.key) })
  }
}
