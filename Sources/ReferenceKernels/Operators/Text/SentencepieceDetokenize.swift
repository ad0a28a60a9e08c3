// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Tensors

extension CatalogEntry {
  static let sentencepieceDetokenize = CatalogEntry(
    custom: "TFSentencepieceDetokenizeOp", chapter: .text,
    formula: "y[s] = piece(x[split[s]]) + … + piece(x[split[s + 1] − 1])",
    variants: "i32", optimized: "",
    work: .nothing, reads: .everything
  ) { _ in SentencepieceDetokenize() }
}

/// `TFSentencepieceDetokenizeOp`: texts made of pieces of a SentencePiece vocabulary.
///
/// - Input 0: the vocabulary, the bytes of a FlatBuffer `DecoderConfig`.
/// - Input 1: the numbers of all texts' pieces, int32.
/// - Input 2: how many there are before each text, int32, with the number of all.
/// - Output 0: the texts, of the declared shape if it has so many elements, else a vector.
///
/// A piece ends at its first zero byte; a space at the beginning of a text is dropped if the
/// vocabulary says so. Only the differences of input 2 count: texts follow each other.
/// TensorFlow Lite Support: `sentencepiece_detokenizer_tflite.cc`, `optimized_decoder.cc`.
struct SentencepieceDetokenize: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let output = try node.declaredOutput()
    try output.expect(.string, .output(0))
    let codes = try node.values(1, as: Int32.self)
    let splits = try node.values(2, as: Int32.self).map { Int($0) }
    guard case .rowLengths(let lengths) = try RowPartition(rowSplits: splits) else {
      throw .invalid("wanted the beginnings of texts", .input(2))
    }
    let decoder = try node.configuration(0) { bytes throws(FlatBufferError) in
      try SentencepieceDecoder(bytes)
    }
    var texts: [ArraySlice<UInt8>] = []
    var (position, byteCount) = (0, 0)
    for length in lengths {
      guard length <= codes.count - position else {
        throw .invalid("a text of \(length) pieces, \(codes.count - position) are left", .input(2))
      }
      let text = try decoder.text(
        of: codes[position..<position + length], limit: TextLimits.byteCount - byteCount)
      texts.append(text[...])
      byteCount += text.count
      position += length
    }
    let isDeclared = output.shape.elementCount == texts.count
    let shape = isDeclared ? output.shape : try Shape.checked([texts.count])
    return Prepared(
      [output.with(shape: shape)], known: [try .strings(texts, "text", "of its pieces")])
  }
}

/// The texts of a SentencePiece vocabulary's pieces.
///
/// TensorFlow Lite Support: `decoder_config.fbs`.
struct SentencepieceDecoder {
  /// What is added to the numbers of pieces.
  let codeOffset: Int32
  /// The pieces.
  let pieces: [[UInt8]]
  /// Whether a space at the beginning of a text is dropped.
  let dropsPrefix: Bool

  /// The decoder that `bytes` describe.
  ///
  /// - Throws: `FlatBufferError` where they are damaged or of another version.
  init(_ bytes: Span<UInt8>) throws(FlatBufferError) {
    let table = try Table(root: bytes)
    try SentencepieceEncoder.checkVersion(table)
    codeOffset = try table.scalar(1, default: 0)
    dropsPrefix = try table.bool(5)
    guard let vector = try table.elements(2, stride: 4) else {
      throw FlatBufferError(.missingField(name: "decode_pieces"), at: table.position)
    }
    var pieces: [[UInt8]] = []
    for index in 0..<vector.count {
      let element = vector.start + 4 * index
      let start = element + Int(try bytes.integer(UInt32.self, at: element))
      let count = Int(try bytes.integer(UInt32.self, at: start))
      let piece = try table.copy(start + 4..<start + 4 + count)
      pieces.append(Array(piece.prefix { $0 != 0 }))
    }
    self.pieces = pieces
  }

  /// The text of pieces.
  ///
  /// - Throws: `KernelError` for the number of no piece, and for more than `limit` bytes.
  func text(of codes: ArraySlice<Int32>, limit: Int) throws(KernelError) -> [UInt8] {
    var text: [UInt8] = []
    for (index, code) in codes.enumerated() {
      let number = Int(code &- codeOffset)
      guard pieces.indices.contains(number) else {
        throw .invalid("piece \(number) of \(pieces.count)", .input(1))
      }
      let hasPrefix = index == 0 && dropsPrefix && pieces[number].first == 0x20
      text += hasPrefix ? pieces[number].dropFirst() : pieces[number][...]
      guard text.count <= limit else {
        throw .unsupported("texts of more than \(TextLimits.byteCount) bytes", .output(0))
      }
    }
    return text
  }
}
