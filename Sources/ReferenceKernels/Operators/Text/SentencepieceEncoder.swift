// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Tensors

/// A SentencePiece vocabulary in the form that TensorFlow Lite Support converts models to, and how
/// texts are divided into its pieces.
///
/// TensorFlow Lite Support: `encoder_config.fbs`, `optimized_encoder.cc`.
struct SentencepieceEncoder {
  /// The number that stands for the beginning of a text.
  let startCode: Int32
  /// The number that stands for its end.
  let endCode: Int32
  /// The number of what is no piece; below 0 there is none.
  let unknownCode: Int32
  /// The score of a byte that belongs to no piece.
  let unknownPenalty: Float
  /// What is added to the numbers of pieces.
  let codeOffset: Int32
  /// The pieces.
  let pieces: DoubleArrayTrie
  /// The score of each.
  let scores: [Float]
  /// How texts are changed before they are divided.
  let normalizer: SentencepieceNormalizer

  /// The encoder that `bytes` describe.
  ///
  /// - Throws: `FlatBufferError` where they are damaged or of another version.
  init(_ bytes: Span<UInt8>) throws(FlatBufferError) {
    let table = try Table(root: bytes)
    try Self.checkVersion(table)
    startCode = try table.scalar(1, default: 0)
    endCode = try table.scalar(2, default: 0)
    unknownCode = try table.scalar(3, default: -1)
    unknownPenalty = try table.float(4)
    codeOffset = try table.scalar(5, default: 0)
    guard let nodes = try table.table(6)?.uint32s(0) else {
      throw FlatBufferError(.missingField(name: "pieces"), at: table.position)
    }
    pieces = DoubleArrayTrie(nodes: nodes)
    scores = try table.floats(7) ?? []
    normalizer = try SentencepieceNormalizer(table)
  }

  /// Checks the version of a configuration, which is its first field.
  ///
  /// - Throws: `FlatBufferError` for another one than 0.
  static func checkVersion(_ table: borrowing Table) throws(FlatBufferError) {
    let version: Int8 = try table.scalar(0, default: 0)
    guard version == 0 else {
      throw FlatBufferError(
        .unknownValue(field: "version", value: Int(version)), at: table.position)
    }
  }

  /// The best way so far to divide the text up to a place.
  private struct Division {
    var score: Float = 0
    /// The last piece.
    var code: Int32 = -1
    /// Where it begins; below 0 where there is no way.
    var start: Int32 = -1
  }

  /// The numbers of the pieces of a text, the last one first, nothing where it cannot be divided.
  ///
  /// Neighboring bytes that belong to no piece make one unknown piece.
  ///
  /// - Throws: `KernelError` where a piece has no score, and where the trie leads too far.
  func reversedCodes(of text: [UInt8]) throws(KernelError) -> [Int32] {
    let divisions = try divisions(of: text)
    var codes: [Int32] = []
    var position = text.count
    while position > 0, divisions[position].start >= 0 {
      let code = divisions[position].code
      codes.append(code == unknownCode ? code : code &+ codeOffset)
      position = Int(divisions[position].start)
    }
    return codes
  }

  private func divisions(of text: [UInt8]) throws(KernelError) -> [Division] {
    var divisions = [Division](repeating: Division(), count: text.count + 1)
    var stepCount = 0
    for index in text.indices where index == 0 || divisions[index].start >= 0 {
      let here = divisions[index]
      let start = Int32(truncatingIfNeeded: index)
      if unknownCode >= 0 {
        let score = here.score + unknownPenalty
        if divisions[index + 1].start < 0 || divisions[index + 1].score < score {
          divisions[index + 1] = Division(
            score: score, code: unknownCode, start: here.code == unknownCode ? here.start : start)
        }
      }
      try pieces.forEachPrefix(of: text[index...], stepCount: &stepCount) {
        (number, length) throws(KernelError) in
        guard number < scores.count else {
          throw .invalid("piece \(number) of \(scores.count)", .input(0))
        }
        let score = here.score + scores[number]
        if divisions[index + length].start < 0 || divisions[index + length].score < score {
          divisions[index + length] = Division(
            score: score, code: Int32(truncatingIfNeeded: number), start: start)
        }
      }
      guard stepCount <= TextLimits.trieSteps else {
        throw .unsupported("more than \(TextLimits.trieSteps) steps to find all pieces", .input(0))
      }
    }
    return divisions
  }
}
