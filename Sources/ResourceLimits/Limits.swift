// SPDX-License-Identifier: Apache-2.0

/// What a model, its archive of files, an image, a sound and a run may take, whatever they declare.
///
/// Files of strangers can declare anything; these bounds are checked before memory is taken, and
/// what goes beyond them is refused with an error that names the location. A model keeps the limits
/// that it was loaded with, and its interpreters obey them unless they are given others.
///
/// ```swift
/// let limits = Limits(arenaByteCount: 64 << 20, duration: .seconds(2))
/// let model = try Model(path: "upload.tflite", limits: limits)
/// ```
public struct Limits: Sendable, Hashable {
  // Model files.

  /// Bytes of a file that is read or mapped as a model.
  public var fileByteCount: Int
  /// How deeply tables of a model may be nested.
  public var tableDepth: Int
  /// Tables of a model that may be visited, each time that something refers to one.
  public var tableCount: Int
  /// Bytes of vectors and texts that tables may refer to, beyond those of a file in which nothing
  /// is referred to twice.
  public var repeatedByteCount: Int
  /// Nodes of all subgraphs together.
  public var nodeCount: Int

  // Runs.

  /// Bytes of a tensor.
  ///
  /// Unless it is set, tools that look at all values admit fewer.
  public var tensorByteCount: Int {
    didSet { tensorByteCountIsUsual = false }
  }
  /// Bytes of a tensor of strings whose size a run decides.
  public var stringByteCount: Int
  /// Bytes that an interpreter holds: one count for all of its subgraphs.
  ///
  /// Everything is taken from it: variables and tables, constants that are computed or unpacked
  /// while planning, arenas with the scratch memory of kernels, outputs that a run allocates, and
  /// what calls of subgraphs pass on. Unless it is set, a model whose file is large may have eight
  /// times the size of its file.
  public var arenaByteCount: Int {
    didSet { arenaGrowsWithFile = false }
  }
  /// Multiply-adds, or numbers computed one by one, of a node, as far as its types tell.
  public var nodeOperationCount: Int
  /// The work of an invocation, and of planning before it, in units of about an eighth of a
  /// nanosecond: what all nodes cost by their types, each time that one is computed.
  ///
  /// Unless it is set, a model may have more, as large networks have large files:
  /// `workPerFileByte` for each byte of its file up to a MiB, `workPerLargeFileByte` for each other.
  public var workCount: Int {
    didSet { workGrowsWithFile = false }
  }
  /// Calls of subgraphs in an invocation: a loop makes two for each round.
  public var callCount: Int
  /// Subgraphs that wait for one that they called.
  public var callDepth: Int
  /// How long an invocation may take; nil for as long as it needs.
  ///
  /// Time is looked at between nodes, and within those that take long.
  public var duration: Duration?

  private var tensorByteCountIsUsual: Bool
  private var arenaGrowsWithFile: Bool
  private var workGrowsWithFile: Bool
  private var isForLookingAtValues = false

  // Archives of associated files.

  /// Files of an archive.
  public var archiveEntryCount: Int
  /// Bytes of a file of an archive, expanded.
  public var archiveEntryByteCount: Int
  /// Bytes of all files of an archive together, expanded.
  public var archiveByteCount: Int
  /// How many times its stored size a file of an archive may expand to, beyond the first megabyte.
  public var expansionRatio: Int

  // Images.

  /// Columns, and rows, of an image.
  public var imageSide: Int
  /// Pixels of an image.
  public var imagePixelCount: Int
  /// Bytes that decoding an image may hold at once, the result included.
  public var imageByteCount: Int

  // Sounds.

  /// Bytes that the samples of a sound may take, 4 for each one.
  public var audioByteCount: Int

  /// Limits that whole models and images keep to; the defaults are those of `Limits()`.
  public init(
    fileByteCount: Int = 1 << 36, tableDepth: Int = 64, tableCount: Int = 1_000_000,
    repeatedByteCount: Int = 1 << 24, nodeCount: Int = 250_000,
    tensorByteCount: Int? = nil, stringByteCount: Int = 1 << 28, arenaByteCount: Int? = nil,
    nodeOperationCount: Int = 1 << 42, workCount: Int? = nil, callCount: Int = 1_000_000,
    callDepth: Int = 64, duration: Duration? = nil,
    archiveEntryCount: Int = 4096, archiveEntryByteCount: Int = 1 << 28,
    archiveByteCount: Int = 1 << 30, expansionRatio: Int = 250,
    imageSide: Int = 1_000_000, imagePixelCount: Int = 178_956_970,
    imageByteCount: Int = 1 << 30, audioByteCount: Int = 1 << 30
  ) {
    self.fileByteCount = fileByteCount
    self.tableDepth = tableDepth
    self.tableCount = tableCount
    self.repeatedByteCount = repeatedByteCount
    self.nodeCount = nodeCount
    self.tensorByteCount = tensorByteCount ?? Self.usualTensorByteCount
    tensorByteCountIsUsual = tensorByteCount == nil
    self.stringByteCount = stringByteCount
    self.arenaByteCount = arenaByteCount ?? Self.usualArenaByteCount
    arenaGrowsWithFile = arenaByteCount == nil
    self.nodeOperationCount = nodeOperationCount
    self.workCount = workCount ?? Self.usualWorkCount
    workGrowsWithFile = workCount == nil
    self.callCount = callCount
    self.callDepth = callDepth
    self.duration = duration
    self.archiveEntryCount = archiveEntryCount
    self.archiveEntryByteCount = archiveEntryByteCount
    self.archiveByteCount = archiveByteCount
    self.expansionRatio = expansionRatio
    self.imageSide = imageSide
    self.imagePixelCount = imagePixelCount
    self.imageByteCount = imageByteCount
    self.audioByteCount = audioByteCount
  }

  /// Bytes that a tensor may have, unless they are set.
  public static let usualTensorByteCount = 2 << 30
  /// Bytes that an interpreter of a model of up to 48 MiB may hold, unless they are set.
  public static let usualArenaByteCount = 384 << 20
  /// How many bytes that is for each byte of a larger file.
  public static let arenaBytesPerFileByte = 8
  /// The work of an invocation, unless it is set: about nine seconds.
  public static let usualWorkCount = 1 << 36
  /// How much more work that is for each of the first 2²⁰ bytes of the file.
  public static let workPerFileByte = 1 << 13
  /// How much more work that is for each byte of the file behind the first 2²⁰.
  ///
  /// Detectors that look at 1280 × 1280 pixels need about half as much with reference kernels: a YOLOv8n
  /// with 8-bit weights 135,000 units for each byte of its file.
  public static let workPerLargeFileByte = 1 << 18

  /// The limits for a model in a file of `byteCount` bytes: those that nobody set grow with it.
  ///
  /// - Precondition: `byteCount` is not negative.
  package func applied(toFileOf byteCount: Int) -> Limits {
    var limits = self
    if arenaGrowsWithFile {
      limits.arenaByteCount = max(
        arenaByteCount, min(byteCount, Int.max >> 8) * Self.arenaBytesPerFileByte)
    }
    if isForLookingAtValues, tensorByteCountIsUsual {
      let most = max(limits.arenaByteCount / 16, min(byteCount, Int.max >> 8) * 2)
      limits.tensorByteCount = min(tensorByteCount, most)
    }
    if workGrowsWithFile {
      let first = min(byteCount, 1 << 20) * Self.workPerFileByte
      let others = min(max(0, byteCount - 1 << 20), Int.max >> 20) * Self.workPerLargeFileByte
      limits.workCount =
        isForLookingAtValues ? workCount / 8 + 4 * first + others : workCount + first + others
    }
    return limits
  }

  /// The limits for tools that look at all values as real numbers, in several runs.
  ///
  /// That takes many times the memory of a tensor, so none may have more than a sixteenth of what
  /// an interpreter may hold, or than the file's float16 weights have as float32, unless the bytes of
  /// a tensor are set. A run may take an eighth of the usual work and four times as much for each
  /// byte of a small file, unless the work is set: a file that is small and asks for much is
  /// refused, and a network whose weights explain its work is not.
  package var forLookingAtValues: Limits {
    var limits = self
    limits.isForLookingAtValues = true
    return limits
  }
}
