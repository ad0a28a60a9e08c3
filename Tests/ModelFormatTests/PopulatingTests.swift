// SPDX-License-Identifier: Apache-2.0

import Compression
import FlatBuffers
import MetadataFormat
import ModelFormat
import Testing

/// Putting metadata into models.
@Suite struct PopulatingTests {
  static let labels = AssociatedFileContents(name: "labels.txt", contents: Array("a\nb\n".utf8))
  static let metadata = ModelMetadata(
    name: "Small", author: "Nobody",
    associatedFiles: [AssociatedFile(name: "labels.txt", kind: .tensorAxisLabels)],
    minimumParserVersion: "1.0.0")

  static func added(_ bytes: [UInt8], _ metadata: ModelMetadata? = metadata) throws -> [UInt8] {
    try ModelFile.populated(
      bytes.span, metadata: metadata, files: metadata == nil ? [] : [labels])
  }

  private func expectDescribed(_ bytes: [UInt8]) throws {
    let model = try ModelFile(parsing: bytes.span)
    #expect(try model.modelMetadata(in: bytes.span) == Self.metadata)
    #expect(try ModelFile.associatedFiles(in: bytes.span) == [Self.labels])
  }

  @Test func `metadata and files are there, and gone to the byte`() throws {
    let old = SmallModel().bytes
    let bytes = try Self.added(old)
    try expectDescribed(bytes)
    let model = try ModelFile(parsing: bytes.span)
    let oldModel = try ModelFile(parsing: old.span)
    #expect(model.subgraphs == oldModel.subgraphs)
    #expect(model.signatures == oldModel.signatures)
    #expect(model.metadata.map(\.name) == ["note", "TFLITE_METADATA"])
    #expect(model.buffers.count == 3)
    #expect(Array(bytes[model.buffers[1]]) == [5, 6])
    #expect(model.buffers.allSatisfy { $0.isEmpty || $0.lowerBound.isMultiple(of: 16) })
    #expect(try Self.bare(bytes) == old)
    #expect(try Self.bare(old) == old)
  }

  @Test func `files do not grow with each change`() throws {
    var bytes = try Self.added(SmallModel().bytes)
    let count = bytes.count
    for name in ["Other", "Again", "Small"] {
      var metadata = Self.metadata
      metadata.name = name
      bytes = try Self.added(bytes, metadata)
      #expect(abs(bytes.count - count) <= 64)
    }
    #expect(bytes.count == count)
    try expectDescribed(bytes)
  }

  @Test func `metadata from elsewhere is replaced, or becomes zeros`() throws {
    let old = MetadataTests.model(
      metadata: FlatTable([0: .bytes(MetadataTests.everything, alignment: 16)]))
    let bare = try Self.bare(old)
    #expect(bare.count == old.count)
    let model = try ModelFile(parsing: bare.span)
    #expect(model.metadata.isEmpty)
    #expect(String(decoding: old, as: UTF8.self).contains("What it does."))
    #expect(!String(decoding: bare, as: UTF8.self).contains("What it does."))
    #expect(try Self.bare(bare) == bare)

    let bytes = try Self.added(old)
    try expectDescribed(bytes)
    #expect(try ModelFile(parsing: bytes.span).metadata.count == 1)
    #expect(try Self.bare(bytes) == bare)
  }

  @Test(arguments: [0, 1])
  func `a buffer that is also in use otherwise keeps its bytes`(by user: Int) throws {
    var model = SmallModel()
    model.metadata.append(FlatTable([0: .string("TFLITE_METADATA"), 1: .int(UInt32(1))]))
    if user == 1 { model.metadata.removeFirst() }
    let bytes = try Self.bare(model.bytes)
    let parsed = try ModelFile(parsing: bytes.span)
    #expect(parsed.metadata.map(\.name) == (user == 1 ? [] : ["note"]))
    #expect(Array(bytes[parsed.buffers[1]]) == [5, 6])
  }

  @Test func `fields of the root table that are not known survive`() throws {
    var root = SmallModel().root
    root.fields[12] = .int(UInt32(77))
    root.fields[14] = .string("later")
    root.fields[15] = .int(UInt64.max)
    let old = root.serialized(identifier: "TFL3")
    let bytes = try Self.added(old)
    try expectDescribed(bytes)
    let table = try Table(root: bytes.span)
    #expect(try table.scalar(12, default: UInt32(0)) == 77)
    #expect(try table.string(14) == "later")
    #expect(try table.scalar(15, default: UInt64(0)) == .max)
    #expect(try Self.bare(bytes) == old)
  }

  @Test func `offsets that count from the start of the file are shifted`() throws {
    var model = SmallModel()
    let location = model.bytes.count * 2
    model.buffers[1] = FlatTable([1: .int(UInt64(location)), 2: .int(UInt64(3))])
    model.custom.fields[5] = nil
    model.custom.fields[9] = .int(UInt64(location + 1))
    model.custom.fields[10] = .int(UInt64(2))
    var old = model.bytes
    old += [UInt8](repeating: 0, count: location - old.count) + [7, 8, 9]

    let bytes = try Self.added(try Self.added(old))
    try expectDescribed(bytes)
    let parsed = try ModelFile(parsing: bytes.span)
    #expect(Array(bytes[parsed.buffers[1]]) == [7, 8, 9])
    #expect(parsed.subgraphs.first?.nodes.last?.customOptions == [8, 9])
    #expect(try Self.bare(bytes) == old)
  }

  @Test func `models without buffers or entries get them`() throws {
    var root = SmallModel().root
    root.fields[6] = nil
    try expectDescribed(try Self.added(root.serialized(identifier: "TFL3")))
    root.fields[4] = nil
    root.fields[2] = .tables([FlatTable([4: .string("empty")])])
    root.fields[7] = nil
    let bytes = try Self.added(root.serialized(identifier: "TFL3"))
    try expectDescribed(bytes)
    #expect(try ModelFile(parsing: bytes.span).buffers.first == 0..<0)
  }

  static let names: [(names: [String], error: MetadataError)] = [
    (["labels.txt", "../x"], .unsafeName("../x")), (["labels.txt", "/x"], .unsafeName("/x")),
    (["labels.txt", "a//b"], .unsafeName("a//b")), (["labels.txt", "./a"], .unsafeName("./a")),
    (["labels.txt", ""], .unsafeName("")), (["labels.txt", "a\0"], .unsafeName("a\0")),
    (["labels.txt", "labels.txt"], .duplicateName("labels.txt")),
    (["other"], .missingFile("labels.txt")),
  ]

  @Test(arguments: names)
  func `names that lead elsewhere, are there twice or are missing`(
    names: [String], error: MetadataError
  ) {
    let bytes = SmallModel().bytes
    let files = names.map { AssociatedFileContents(name: $0, contents: []) }
    #expect(throws: error) {
      try ModelFile.populated(bytes.span, metadata: Self.metadata, files: files)
    }
    #expect(!error.description.isEmpty)
  }

  /// Bytes counted from the end of a model with files, and what they are set to.
  static let damages: [(fromEnd: Int, value: UInt8)] = [
    (12, 9),  // the number of entries
    (10, 200),  // the size of the directory
    (6, 255),  // where it lies
    (22 + 46 + 10, 0),  // the mark of its first entry
  ]

  @Test(arguments: damages)
  func `an archive that is damaged is reported`(fromEnd: Int, value: UInt8) throws {
    var bytes = try Self.added(SmallModel().bytes)
    bytes[bytes.count - fromEnd] = value
    #expect(throws: MetadataError.self) { try ModelFile.associatedFiles(in: bytes.span) }
    #expect(throws: MetadataError.self) { try Self.bare(bytes) }
  }

  @Test func `an archive that lies in the model is refused`() throws {
    var model = SmallModel()
    let end: [UInt8] = [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18)
    model.buffers[1] = FlatTable([0: .bytes(end, alignment: 16)])
    let bytes = model.bytes
    #expect(throws: MetadataError.self) { try Self.bare(bytes) }
  }

  @Test func `the mark alone makes no envelope`() throws {
    let bytes = try Self.added(SmallModel().bytes)
    for position in 0..<bytes.count - SmallModel().bytes.count {
      var changed = bytes
      changed[position] ^= 0x41
      guard let model = try? ModelFile(parsing: changed.span) else { continue }
      let bare: [UInt8]
      do throws(MetadataError) { bare = try Self.bare(changed) } catch {
        #expect(!error.description.isEmpty)
        continue
      }
      #expect(try ModelFile(parsing: bare.span).subgraphs == model.subgraphs)
    }
  }

  private static func bare(_ bytes: [UInt8]) throws(MetadataError) -> [UInt8] {
    try ModelFile.populated(bytes.span, metadata: nil, files: [])
  }

  @Test func `every prefix of a changed model loads or is reported`() throws {
    let bytes = try Self.added(SmallModel().bytes)
    for length in 0..<bytes.count {
      let prefix = Array(bytes.prefix(length))
      HostileModelTests.mayThrow(prefix)
      do throws(MetadataError) {
        _ = try ModelFile.associatedFiles(in: prefix.span)
        _ = try ModelFile.populated(prefix.span, metadata: Self.metadata, files: [Self.labels])
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test(
    arguments: SharedModels.entries.filter {
      $0.path.contains("_md") || $0.path.contains("int8")
    })
  func `shared models keep what they say`(_ entry: SharedModels.Entry) throws {
    let old = try entry.bytes()
    guard (try? ModelFile(parsing: old.span)) != nil else {
      #expect(throws: MetadataError.self) { try Self.bare(old) }
      return
    }
    let bytes = try Self.added(old)
    try expectDescribed(bytes)
    let bare = try Self.bare(bytes)
    #expect(bare.count <= old.count)
    #expect(try Self.bare(old) == bare)
  }
}
