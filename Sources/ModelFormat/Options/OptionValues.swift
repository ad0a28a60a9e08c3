// SPDX-License-Identifier: Apache-2.0

/// How a window operator treats the borders of its input.
public enum Padding: Int8, CaseIterable, Sendable, Hashable {
  /// Zeros surround the input, so that the output has `ceil(length / stride)` elements.
  case same = 0
  /// Windows lie within the input.
  case valid = 1
}

/// What is applied to each result of an operator.
public enum FusedActivation: Int8, CaseIterable, Sendable, Hashable {
  /// The result itself.
  case none = 0
  /// At least 0.
  case relu = 1
  /// From -1 to 1.
  case reluN1To1 = 2
  /// From 0 to 6.
  case relu6 = 3
  /// The hyperbolic tangent.
  case tanh = 4
  /// The sign bit.
  case signBit = 5
}

/// How `LSH_PROJECTION` turns hash bits into output.
public enum LSHProjectionType: Int8, CaseIterable, Sendable, Hashable {
  /// Not set.
  case unknown = 0
  /// One number per hash function.
  case sparse = 1
  /// One bit per hash function and output.
  case dense = 2
}

/// How the weights of `FULLY_CONNECTED` are laid out.
public enum FullyConnectedWeightsFormat: Int8, CaseIterable, Sendable, Hashable {
  /// Row by row.
  case `default` = 0
  /// Blocks of 4 rows and 16 columns of 8-bit weights.
  case shuffled4x16Int8 = 1
}

/// Which cell `LSTM` computes.
public enum LSTMKernelType: Int8, CaseIterable, Sendable, Hashable {
  /// The cell with optional peepholes and projection.
  case full = 0
  /// The basic cell: five inputs, one concatenated weight matrix.
  case basic = 1
}

/// How `EMBEDDING_LOOKUP_SPARSE` combines the embeddings of one row.
public enum CombinerType: Int8, CaseIterable, Sendable, Hashable {
  /// Their weighted sum.
  case sum = 0
  /// The sum divided by the sum of weights.
  case mean = 1
  /// The sum divided by the root of the sum of squared weights.
  case sqrtN = 2
}

/// Whether `MIRROR_PAD` repeats the border itself.
public enum MirrorPadMode: Int8, CaseIterable, Sendable, Hashable {
  /// The border is the mirror's axis and not repeated.
  case reflect = 0
  /// The border is repeated.
  case symmetric = 1
}

/// How custom options are encoded.
public enum CustomOptionsFormat: Int8, CaseIterable, Sendable, Hashable {
  /// As a FlexBuffer.
  case flexBuffers = 0
}

/// How the deprecated `REDUCE_WINDOW` combines the elements of a window.
public enum ReduceWindowFunction: Int32, CaseIterable, Sendable, Hashable {
  /// Not set.
  case unsupported = 0
  /// Their sum.
  case add = 1
  /// Their product.
  case multiply = 2
  /// The smallest.
  case minimum = 3
  /// The largest.
  case maximum = 4
  /// Whether all are true.
  case all = 5
  /// Whether any is true.
  case any = 6
}

/// The precision that a StableHLO operator is asked for.
public enum StablehloPrecision: UInt32, CaseIterable, Sendable, Hashable {
  /// The fastest.
  case `default` = 0
  /// A better one.
  case high = 1
  /// The best.
  case highest = 2
}

/// The relation that `STABLEHLO_COMPARE` tests.
public enum StablehloComparisonDirection: UInt32, CaseIterable, Sendable, Hashable {
  /// Equal.
  case equal = 0
  /// Not equal.
  case notEqual = 1
  /// Greater or equal.
  case greaterOrEqual = 2
  /// Greater.
  case greater = 3
  /// Less or equal.
  case lessOrEqual = 4
  /// Less.
  case less = 5
}

/// How `STABLEHLO_COMPARE` compares its operands.
public enum StablehloComparisonType: UInt32, CaseIterable, Sendable, Hashable {
  /// By their element type.
  case noType = 0
  /// As floating-point numbers.
  case float = 1
  /// As floating-point numbers in total order.
  case floatTotalOrder = 2
  /// As signed integers.
  case signed = 3
  /// As unsigned integers.
  case unsigned = 4
}

/// The algorithm of `STABLEHLO_RNG_BIT_GENERATOR`.
public enum RandomAlgorithm: Int8, CaseIterable, Sendable, Hashable {
  /// Whatever the system prefers.
  case `default` = 0
  /// Philox 4x32-10.
  case philox = 1
  /// ThreeFry.
  case threefry = 2
}
