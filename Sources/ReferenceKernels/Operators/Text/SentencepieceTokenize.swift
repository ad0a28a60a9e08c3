// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Tensors

extension CatalogEntry {
  static let sentencepieceTokenize = CatalogEntry(
    custom: "TFSentencepieceTokenizeOp", chapter: .text,
    formula: "y₀[y₁[s]], …, y₀[y₁[s + 1] − 1] = the pieces of x[s] whose scores have"
      + " the largest sum",
    variants: "str", optimized: "",
    work: .nothing, reads: .everything
  ) { _ in SentencepieceTokenize() }
}

/// `TFSentencepieceTokenizeOp`: texts divided into pieces of a SentencePiece vocabulary.
///
/// - Input 0: the vocabulary, the bytes of a FlatBuffer `EncoderConfig`.
/// - Input 1: texts, strings of any shape.
/// - Inputs 2 and 3: how pieces are sampled; they are not read.
/// - Inputs 4 to 6: bools, whether the numbers for beginning and end are added, and whether the
///   pieces stand in reverse order.
/// - Output 0: the numbers of all texts' pieces, int32.
/// - Output 1: how many there are before each text, int32, with the number of all.
///
/// TensorFlow Lite Support and MediaPipe: `sentencepiece_tokenizer_tflite.cc`.
struct SentencepieceTokenize: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 7...7, outputs: 2)
    let texts = try node.strings(1)
    var flags: [Bool] = []
    for position in 4...6 {
      guard let flag = try node.values(position, as: BoolByte.self).first else {
        throw .invalid("wanted a bool", .input(position))
      }
      flags.append(flag.value)
    }
    let encoder = try node.configuration(0) { bytes throws(FlatBufferError) in
      try SentencepieceEncoder(bytes)
    }
    var codes: [Int] = []
    var (splits, sources): ([Int], [Int32]) = ([0], [])
    for (number, text) in texts.enumerated() {
      var reversed = try encoder.reversedCodes(of: try encoder.normalizer.normalized(text))
      if flags[1] { reversed.insert(encoder.endCode, at: 0) }
      if flags[0] { reversed.append(encoder.startCode) }
      codes += (flags[2] ? reversed : reversed.reversed()).map { Int($0) }
      try TextLimits.check(stringCount: 0, byteCount: codes.count)
      while sources.count < codes.count { sources.append(Int32(truncatingIfNeeded: number)) }
      splits.append(codes.count)
    }
    let types = [
      try node.declaredOutput(0).with(shape: try Shape.checked([codes.count])),
      try node.declaredOutput(1).with(shape: try Shape.checked([splits.count])),
    ]
    var pieces = try KnownOutput.integers(
      codes, [.int32], node, at: 0, "piece", "its number in the vocabulary", sources: sources)
    pieces.input = 1
    return Prepared(
      types,
      known: [
        pieces, try .integers(splits, [.int32], node, at: 1, "split", "pieces of the texts before"),
      ])
  }
}

extension PrepareContext {
  /// What `read` makes of the bytes of an input, which are a FlatBuffer.
  ///
  /// - Throws: `KernelError` where they are damaged, and while they are not known.
  func configuration<Configuration>(
    _ position: Int, _ read: (Span<UInt8>) throws(FlatBufferError) -> Configuration
  ) throws(KernelError) -> Configuration {
    guard try input(position).elementType != .string else {
      throw .elementType(.string, .input(position))
    }
    guard let bytes = inputs[position]?.bytes else {
      throw KernelError(.valueNeeded(position), "value must be known first", .input(position))
    }
    do throws(FlatBufferError) { return try read(bytes.span(as: UInt8.self)) } catch {
      throw .invalid("malformed vocabulary: \(error)", .input(position))
    }
  }
}
