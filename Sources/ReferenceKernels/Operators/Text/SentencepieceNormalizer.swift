// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

/// How a text is changed before it is divided into SentencePieces.
///
/// TensorFlow Lite Support: `optimized_encoder.cc`, `NormalizeString`.
struct SentencepieceNormalizer {
  /// Whether several white-space characters become one space, and one at the end is dropped.
  let removesExtraSpaces: Bool
  /// Whether a space is put in front.
  let addsPrefix: Bool
  /// Whether white space becomes U+2581.
  let escapesSpaces: Bool
  /// What is replaced, each by the bytes from its number on; nil where nothing is.
  let prefixes: DoubleArrayTrie?
  /// What it is replaced by: strings that end with a zero.
  let replacements: [UInt8]

  /// The normalizer of an encoder's configuration.
  ///
  /// - Throws: `FlatBufferError` where it is damaged.
  init(_ table: borrowing Table) throws(FlatBufferError) {
    removesExtraSpaces = try table.bool(8)
    addsPrefix = try table.bool(9)
    escapesSpaces = try table.bool(10)
    replacements = try table.bytes(12) ?? []
    guard try table.has(11), try table.has(12) else {
      prefixes = nil
      return
    }
    prefixes = DoubleArrayTrie(nodes: try table.table(11)?.uint32s(0) ?? [])
  }

  /// The text as it is divided; an empty one remains empty.
  ///
  /// - Throws: `KernelError` where it becomes too long, and where a replacement is not there.
  func normalized(_ text: [UInt8]) throws(KernelError) -> [UInt8] {
    guard !text.isEmpty else { return [] }
    var text = text
    if addsPrefix { text.insert(0x20, at: 0) }
    if let prefixes { text = try replaced(text, prefixes) }
    if removesExtraSpaces { text = Self.withoutExtraSpaces(text) }
    if escapesSpaces {
      text = Array(text.map { Self.isSpace($0) ? [0xe2, 0x96, 0x81] : [$0] }.joined())
    }
    guard text.count <= TextLimits.byteCount else { throw Self.tooLong }
    return text
  }

  private static var tooLong: KernelError {
    .unsupported("a normalized text of more than \(TextLimits.byteCount) bytes", .input(1))
  }

  private func replaced(
    _ text: [UInt8], _ prefixes: DoubleArrayTrie
  ) throws(KernelError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = 0
    var stepCount = 0
    while position < text.count {
      var longest: (start: Int, length: Int)?
      try prefixes.forEachPrefix(of: text[position...], stepCount: &stepCount) {
        (number, length) throws(KernelError) in longest = (number, length)
      }
      guard stepCount <= TextLimits.trieSteps else {
        throw .unsupported("more than \(TextLimits.trieSteps) steps to normalize", .input(0))
      }
      guard let longest else {
        result.append(text[position])
        position += 1
        continue
      }
      guard longest.start < replacements.count,
        let end = replacements[longest.start...].firstIndex(of: 0)
      else { throw .invalid("replacement \(longest.start) of \(replacements.count)", .input(0)) }
      result += replacements[longest.start..<end]
      guard result.count <= TextLimits.byteCount else { throw Self.tooLong }
      position += longest.length
    }
    return result
  }

  /// The text with a space for every run of white space, and none of it at the end.
  private static func withoutExtraSpaces(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      var end = position + 1
      if isSpace(text[position]) {
        while end < text.count, isSpace(text[end]) { end += 1 }
      }
      result.append(end > position + 1 ? 0x20 : text[position])
      position = end
    }
    if let last = result.last, isSpace(last) { result.removeLast() }
    return result
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x9 || byte == 0xa || byte == 0xd
  }
}
