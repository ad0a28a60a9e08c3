// SPDX-License-Identifier: Apache-2.0

import Compression
import FlatBuffers
import MetadataFormat
import ModelFormat
import Testing

/// Metadata and associated files.
@Suite struct MetadataTests {
  static func file(_ name: String, _ kind: Int8, locale: String = "") -> FlatTable {
    FlatTable([0: .string(name), 2: .int(kind), 3: .string(locale)])
  }

  static func unit(_ member: UInt8, _ fields: [Int: FlatField]) -> FlatTable {
    FlatTable([0: .int(member), 1: .table(FlatTable(fields))])
  }

  static func content(_ member: UInt8, _ fields: [Int: FlatField]) -> FlatField {
    let range = FlatTable([0: .int(Int32(1)), 1: .int(Int32(2))])
    return .table(FlatTable([0: .int(member), 1: .table(FlatTable(fields)), 2: .table(range)]))
  }

  /// Metadata that uses every table of the schema.
  static let everything: [UInt8] = {
    let image = content(
      2,
      [
        0: .int(Int8(1)),
        1: .table(FlatTable([0: .int(UInt32(640)), 1: .int(UInt32(480))])),
      ])
    let input = FlatTable([
      0: .string("image"), 1: .string("An image."), 2: .strings(["batch", "row"]), 3: image,
      4: .tables([
        unit(1, [0: .floats([127.5]), 1: .floats([128])]),
        unit(4, [0: .tables([file("vocab.txt", 5)])]),
        unit(5, [0: .tables([file("pieces.model", 0)]), 1: .tables([file("pieces.txt", 5)])]),
        unit(6, [0: .string("[^a-z]+"), 1: .tables([file("words.txt", 5)])]),
        unit(9, [:]),
      ]),
      5: .table(FlatTable([0: .floats([1]), 1: .floats([-1])])),
    ])
    let scores = FlatTable([
      0: .string("scores"),
      3: content(4, [0: .int(UInt32(16000)), 1: .int(UInt32(2))]),
      4: .tables([unit(2, [0: .int(Int8(2)), 1: .float(0.25)]), unit(3, [0: .float(0.5)])]),
      6: .tables([file("labels.txt", 2), file("labels-de.txt", 2, locale: "de")]),
    ])
    let boxes = FlatTable([
      3: content(3, [0: .ints([UInt32(1), 0, 3, 2]), 1: .int(Int8(1)), 2: .int(Int8(1))])
    ])
    let group = FlatTable([0: .string("detections"), 1: .strings(["boxes", "scores"])])
    let main = FlatTable([
      0: .string("main"), 1: .string("The graph."), 2: .tables([input]),
      3: .tables([scores, boxes]), 4: .tables([file("notes.txt", 1)]),
      5: .tables([unit(1, [:])]), 6: .tables([unit(3, [:])]), 7: .tables([group]),
      8: .tables([group, group]),
      9: .tables([FlatTable([0: .string("extra"), 1: .bytes([1, 2])])]),
    ])
    return FlatTable([
      0: .string("Name"), 1: .string("What it does."), 2: .string("v1"), 3: .tables([main]),
      4: .string("Author"), 5: .string("License"), 6: .tables([file("index", 6)]),
      7: .string("1.5.0"),
    ]).serialized(identifier: "M001")
  }()

  @Test func `texts of the model come back`() throws {
    let metadata = try ModelMetadata(parsing: Self.everything.span)
    #expect(metadata.name == "Name")
    #expect(metadata.description == "What it does.")
    #expect(metadata.version == "v1")
    #expect(metadata.author == "Author")
    #expect(metadata.license == "License")
    #expect(metadata.associatedFiles.map(\.kind) == [.scannIndexFile])
    #expect(metadata.minimumParserVersion == "1.5.0")
    let main = try #require(metadata.subgraphs.first)
    #expect(main.name == "main")
    #expect(main.description == "The graph.")
    #expect(main.associatedFiles.map(\.name) == ["notes.txt"])
    #expect(main.inputProcessUnits.count == 1)
    #expect(main.outputProcessUnits.count == 1)
    #expect(main.inputGroups.map(\.tensorNames) == [["boxes", "scores"]])
    #expect(main.outputGroups.count == 2)
    #expect(main.customMetadata.map(\.data) == [[1, 2]])
  }

  @Test func `inputs say how they are prepared`() throws {
    let metadata = try ModelMetadata(parsing: Self.everything.span)
    let input = try #require(metadata.subgraphs.first?.inputs.first)
    #expect(input.name == "image")
    #expect(input.dimensionNames == ["batch", "row"])
    #expect(input.stats?.maximum == [1])
    #expect(input.stats?.minimum == [-1])
    #expect(input.content?.range?.minimum == 1)
    #expect(input.content?.range?.maximum == 2)
    guard case .image(let image) = input.content?.properties else {
      Issue.record("no image")
      return
    }
    #expect(image.colorSpace == .rgb)
    #expect(image.defaultSize?.width == 640)
    #expect(image.defaultSize?.height == 480)

    #expect(input.processUnits.count == 5)
    guard case .normalization(let normalization) = input.processUnits[0],
      case .bertTokenizer(let bert) = input.processUnits[1],
      case .sentencePieceTokenizer(let pieces) = input.processUnits[2],
      case .regexTokenizer(let regex) = input.processUnits[3]
    else {
      Issue.record("other process units")
      return
    }
    #expect(normalization.mean == [127.5])
    #expect(normalization.standardDeviation == [128])
    #expect(bert.vocabularyFiles.map(\.name) == ["vocab.txt"])
    #expect(pieces.modelFiles.map(\.name) == ["pieces.model"])
    #expect(pieces.vocabularyFiles.map(\.name) == ["pieces.txt"])
    #expect(regex.delimiterPattern == "[^a-z]+")
    #expect(input.processUnits[4] == .unknown(9))
  }

  @Test func `outputs say how they are finished and labeled`() throws {
    let metadata = try ModelMetadata(parsing: Self.everything.span)
    let outputs = try #require(metadata.subgraphs.first?.outputs)
    let scores = outputs[0]
    guard case .scoreCalibration(let calibration) = scores.processUnits[0],
      case .scoreThresholding(let threshold) = scores.processUnits[1],
      case .audio(let audio) = scores.content?.properties,
      case .boundingBox(let boxes) = outputs[1].content?.properties
    else {
      Issue.record("other process units or contents")
      return
    }
    #expect(calibration.transformation == .inverseLogistic)
    #expect(calibration.defaultScore == 0.25)
    #expect(threshold.globalScoreThreshold == 0.5)
    #expect(audio.sampleRate == 16000)
    #expect(audio.channels == 2)
    #expect(boxes.index == [1, 0, 3, 2])
    #expect(boxes.type == .boundaries)
    #expect(boxes.coordinateType == .pixel)
    #expect(scores.associatedFiles.map(\.kind) == [.tensorAxisLabels, .tensorAxisLabels])
    #expect(scores.associatedFiles.map(\.locale) == ["", "de"])
  }

  @Test func `every prefix and every changed byte decodes or is reported`() {
    for length in 0..<Self.everything.count { mayThrow(Array(Self.everything.prefix(length))) }
    for position in Self.everything.indices {
      for value: UInt8 in [0, 1, 0x7f, 0x80, 0xff] {
        var bytes = Self.everything
        bytes[position] = value
        mayThrow(bytes)
      }
    }
  }

  private func mayThrow(_ bytes: [UInt8]) {
    do {
      _ = try ModelMetadata(parsing: bytes.span)
    } catch {
      #expect(!error.description.isEmpty)
    }
  }

  static func model(metadata: FlatTable, buffer: UInt32 = 2) -> [UInt8] {
    var model = SmallModel()
    model.metadata = [FlatTable([0: .string("TFLITE_METADATA"), 1: .int(buffer)])]
    model.buffers.append(metadata)
    return model.bytes
  }

  @Test func `a model finds its metadata`() throws {
    let bytes = Self.model(metadata: FlatTable([0: .bytes(Self.everything, alignment: 16)]))
    let model = try ModelFile(parsing: bytes.span)
    #expect(try model.modelMetadata(in: bytes.span)?.name == "Name")
    let plain = SmallModel().bytes
    #expect(try ModelFile(parsing: plain.span).modelMetadata(in: plain.span) == nil)
  }

  @Test func `bad metadata does not keep a model from loading`() throws {
    for bytes in [
      Self.model(metadata: FlatTable([0: .bytes(Array("M001 garbage".utf8))])),
      Self.model(metadata: FlatTable()),
      Self.model(metadata: FlatTable(), buffer: 99),
    ] {
      let model = try ModelFile(parsing: bytes.span)
      let error = #expect(throws: ModelError.self) { try model.modelMetadata(in: bytes.span) }
      #expect(error?.path == [.metadata(name: "TFLITE_METADATA")])
    }
  }

  @Test(arguments: [true, false])
  func `files packed behind the model are listed and read`(countsModel: Bool) throws {
    let model = SmallModel().bytes
    var writer = ZipWriter(baseOffset: countsModel ? model.count : 0)
    let labels = Array("cat\ndog\n".utf8)
    try writer.add("labels.txt", labels.span, method: .stored)
    try writer.add("zipped.txt", labels.span)
    let bytes = model + (try writer.finish())
    let files = try AssociatedFiles(in: bytes.span)
    #expect(files.names == ["labels.txt", "zipped.txt"])
    #expect(try files.contents(of: "labels.txt", in: bytes.span) == labels)
    #expect(try files.contents(of: "zipped.txt", in: bytes.span) == labels)
    #expect(throws: ZipError.noSuchEntry(name: "other")) {
      try files.contents(of: "other", in: bytes.span)
    }
    #expect(try ModelFile(parsing: bytes.span).subgraphs.count == 1)
  }

  @Test func `a model without packed files has none`() throws {
    let bytes = SmallModel().bytes
    #expect(try AssociatedFiles(in: bytes.span).names == [])
  }
}
