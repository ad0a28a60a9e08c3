// SPDX-License-Identifier: Apache-2.0

package import ModelSchema

/// Every built-in operator with a kernel.
package enum OperatorCatalog {
  /// The record of a built-in operator; nil where it has no kernel.
  ///
  /// Records are made when they are first asked for: a model has few of the operators.
  package static func entry(of code: OperatorCode) -> CatalogEntry? {
    switch code {
    case .abs: .abs
    case .add: .add
    case .addN: .addN
    case .argMax: .argMax
    case .argMin: .argMin
    case .assignVariable: .assignVariable
    case .atan2: .atan2
    case .averagePool2D: .averagePool2D
    case .batchMatMul: .batchMatMul
    case .batchToSpaceND: .batchToSpaceND
    case .bidirectionalSequenceLSTM: .bidirectionalSequenceLSTM
    case .bidirectionalSequenceRNN: .bidirectionalSequenceRNN
    case .bitcast: .bitcast
    case .bitwiseXor: .bitwiseXor
    case .broadcastArgs: .broadcastArgs
    case .broadcastTo: .broadcastTo
    case .bucketize: .bucketize
    case .callOnce: .callOnce
    case .cast: .cast
    case .ceil: .ceil
    case .complexAbs: .complexAbs
    case .concatenation: .concatenation
    case .conv2D: .conv2D
    case .conv3D: .conv3D
    case .conv3DTranspose: .conv3DTranspose
    case .cos: .cos
    case .cumsum: .cumsum
    case .densify: .densify
    case .depthToSpace: .depthToSpace
    case .depthwiseConv2D: .depthwiseConv2D
    case .dequantize: .dequantize
    case .dilate: .dilate
    case .div: .div
    case .dynamicUpdateSlice: .dynamicUpdateSlice
    case .elu: .elu
    case .embeddingLookup: .embeddingLookup
    case .embeddingLookupSparse: .embeddingLookupSparse
    case .equal: .equal
    case .exp: .exp
    case .expandDims: .expandDims
    case .fakeQuant: .fakeQuant
    case .fill: .fill
    case .floor: .floor
    case .floorDiv: .floorDiv
    case .floorMod: .floorMod
    case .fullyConnected: .fullyConnected
    case .gather: .gather
    case .gatherND: .gatherNd
    case .gelu: .gelu
    case .greater: .greater
    case .greaterEqual: .greaterEqual
    case .hardSwish: .hardSwish
    case .hashtable: .hashtable
    case .hashtableFind: .hashtableFind
    case .hashtableImport: .hashtableImport
    case .hashtableLookup: .hashtableLookup
    case .hashtableSize: .hashtableSize
    case .if: .if
    case .imag: .imag
    case .l2Normalization: .l2Normalization
    case .l2Pool2D: .l2Pool2D
    case .leakyRelu: .leakyRelu
    case .less: .less
    case .lessEqual: .lessEqual
    case .localResponseNormalization: .localResponseNormalization
    case .log: .log
    case .logicalAnd: .logicalAnd
    case .logicalNot: .logicalNot
    case .logicalOr: .logicalOr
    case .logistic: .logistic
    case .logSoftmax: .logSoftmax
    case .lshProjection: .lshProjection
    case .lstm: .lstm
    case .matrixDiag: .matrixDiag
    case .matrixSetDiag: .matrixSetDiag
    case .maximum: .maximum
    case .maxPool2D: .maxPool2D
    case .mean: .mean
    case .minimum: .minimum
    case .mirrorPad: .mirrorPad
    case .mul: .mul
    case .multinomial: .multinomial
    case .neg: .neg
    case .nonMaxSuppressionV4: .nonMaxSuppressionV4
    case .nonMaxSuppressionV5: .nonMaxSuppressionV5
    case .notEqual: .notEqual
    case .oneHot: .oneHot
    case .pack: .pack
    case .pad: .pad
    case .padV2: .padV2
    case .pow: .pow
    case .prelu: .prelu
    case .quantize: .quantize
    case .randomStandardNormal: .randomStandardNormal
    case .randomUniform: .randomUniform
    case .range: .range
    case .rank: .rank
    case .readVariable: .readVariable
    case .real: .real
    case .reduceAll: .reduceAll
    case .reduceAny: .reduceAny
    case .reduceMax: .reduceMax
    case .reduceMin: .reduceMin
    case .reduceProd: .reduceProd
    case .reduceWindow: .reduceWindow
    case .relu: .relu
    case .relu0To1: .relu0To1
    case .relu6: .relu6
    case .reluN1To1: .reluN1To1
    case .reshape: .reshape
    case .resizeBilinear: .resizeBilinear
    case .resizeNearestNeighbor: .resizeNearestNeighbor
    case .reverseSequence: .reverseSequence
    case .reverseV2: .reverseV2
    case .rfft2D: .rfft2D
    case .rightShift: .rightShift
    case .rnn: .rnn
    case .round: .round
    case .rsqrt: .rsqrt
    case .scatterND: .scatterND
    case .segmentSum: .segmentSum
    case .select: .select
    case .selectV2: .selectV2
    case .shape: .shape
    case .sign: .sign
    case .sin: .sin
    case .skipGram: .skipGram
    case .slice: .slice
    case .softmax: .softmax
    case .spaceToBatchND: .spaceToBatchND
    case .spaceToDepth: .spaceToDepth
    case .sparseToDense: .sparseToDense
    case .split: .split
    case .splitV: .splitV
    case .sqrt: .sqrt
    case .square: .square
    case .squaredDifference: .squaredDifference
    case .squeeze: .squeeze
    case .stablehloAdd: .stablehloAdd
    case .stablehloAnd: .stablehloAnd
    case .stablehloCase: .stablehloCase
    case .stablehloComposite: .stablehloComposite
    case .stablehloGather: .stablehloGather
    case .stablehloMaximum: .stablehloMaximum
    case .stablehloMinimum: .stablehloMinimum
    case .stablehloMultiply: .stablehloMultiply
    case .stablehloPad: .stablehloPad
    case .stablehloReduceWindow: .stablehloReduceWindow
    case .stablehloRngBitGenerator: .stablehloRngBitGenerator
    case .stablehloScatter: .stablehloScatter
    case .stablehloShiftLeft: .stablehloShiftLeft
    case .stridedSlice: .stridedSlice
    case .sub: .sub
    case .sum: .sum
    case .svdf: .svdf
    case .tanh: .tanh
    case .tile: .tile
    case .topKV2: .topKV2
    case .transpose: .transpose
    case .transposeConv: .transposeConv
    case .unidirectionalSequenceLSTM: .unidirectionalSequenceLSTM
    case .unidirectionalSequenceRNN: .unidirectionalSequenceRNN
    case .unique: .unique
    case .unpack: .unpack
    case .unsortedSegmentMax: .unsortedSegmentMax
    case .unsortedSegmentMin: .unsortedSegmentMin
    case .unsortedSegmentProd: .unsortedSegmentProd
    case .unsortedSegmentSum: .unsortedSegmentSum
    case .varHandle: .varHandle
    case .where: .where
    case .while: .while
    case .zerosLike: .zerosLike
    default: nil
    }
  }

  /// The operators in alphabetical order.
  package static let entries: [CatalogEntry] = OperatorCode.allCases.compactMap(entry(of:))
    .sorted { $0.name < $1.name }

  /// The custom operators that Martlet brings, in alphabetical order.
  package static let custom: [CatalogEntry] = [
    .hadamardRotation,
    .audioSpectrogram,
    .convolution2DTransposeBias,
    .emptyTensorList,
    .tensorListConcat,
    .tensorListConcatLists,
    .tensorListElementShape,
    .tensorListFromTensor,
    .tensorListGather,
    .tensorListGetItem,
    .tensorListLength,
    .tensorListPopBack,
    .tensorListPushBack,
    .tensorListReserve,
    .tensorListResize,
    .tensorListScatter,
    .tensorListScatterIntoExistingList,
    .tensorListScatterV2,
    .tensorListSetItem,
    .tensorListSplit,
    .tensorListStack,
    .kmeansEmbeddingLookup,
    .landmarksToTransformMatrix,
    .liteRtMaxUnpooling,
    .maxPoolingWithArgmax,
    .maxUnpooling,
    .mfcc,
    .nGramHash,
    .numericVerify,
    .raggedRange,
    .raggedTensorToTensor,
    .resampler,
    .signalDelay,
    .signalEnergy,
    .signalFftAutoScale,
    .signalFilterBank,
    .signalFilterBankLog,
    .signalFilterBankSpectralSubtraction,
    .signalFilterBankSquareRoot,
    .signalFramer,
    .signalIrfft,
    .signalOverlapAdd,
    .signalPCAN,
    .signalRfft,
    .signalStacker,
    .signalWindow,
    .detectionPostProcess,
    .sentencepieceDetokenize,
    .sentencepieceTokenize,
    .textNGramsStringJoin,
    .whitespaceTokenizeWithOffsets,
    .transformLandmarks,
    .transformTensorBilinear,
    .textNGrams,
    .whitespaceTokenizer,
  ]

  /// The custom operators by name.
  package static let customByName = Dictionary(
    custom.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The record of an operator; nil where it has no kernel.
  package static func entry(of identity: OperatorIdentity) -> CatalogEntry? {
    guard let code = identity.code else { return nil }
    return code == .custom ? identity.customName.flatMap { customByName[$0] } : entry(of: code)
  }

  /// Whether an operator in its version runs on LiteRT's optimized kernels, but not on its
  /// reference kernels.
  package static func isBeyondReference(_ identity: OperatorIdentity) -> Bool {
    entry(of: identity)?.versions?.isBeyondReference(Int(identity.version)) ?? false
  }
}
