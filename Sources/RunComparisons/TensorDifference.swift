// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
package import Npy
package import Tensors
internal import Traces

/// An array, and the tensor type that its elements have.
package struct TypedArray: Sendable {
  /// The type that the elements have in a model.
  package let type: TensorType
  /// The values.
  package let array: NpyArray

  /// An array of elements of a type.
  package init(type: TensorType, array: NpyArray) {
    self.type = type
    self.array = array
  }
}

/// How far a tensor differs from a reference, as real numbers.
///
/// With `x` the reference's numbers and `y` the others. Elements that are NaN, or the same
/// infinity, in both are equal. Where only one is finite, the distance is infinite, and the element
/// counts in neither cosine nor divergence. Complex numbers count as two elements, their parts.
public struct TensorDifference: Sendable, Equatable {
  /// How many elements there are.
  public let elementCount: Int
  /// How many elements differ at all: quantized values of tensors quantized alike, else real
  /// numbers.
  public let differingCount: Int
  /// How many elements differ by more than the tolerance.
  public let excessCount: Int
  /// The largest distance, `max |x − y|`; nil for strings.
  public let maximum: Double?
  /// The largest distance of quantized values; nil unless both are quantized in the same way.
  public let maximumQuanta: Int?
  /// `mean (x − y)²`; nil for strings and where there are no elements, as all that follow.
  public let meanSquare: Double?
  /// `10 log₁₀(Σ x² / Σ (x − y)²)`, in decibels; infinite where nothing differs.
  public let signalToNoise: Double?
  /// `10 log₁₀(max |x|² / mean (x − y)²)`, in decibels; infinite where nothing differs.
  public let peakSignalToNoise: Double?
  /// `Σ x y / (√Σ x² √Σ y²)`; 1 where both are zero throughout, 0 where only one is.
  public let cosine: Double?
  /// The Kullback-Leibler divergence `Σ p ln(p / q)` of the histograms, in nats.
  ///
  /// Both have 128 bins of equal width from the smallest to the largest of all numbers; half a
  /// count is added to each, so that none is empty.
  public let divergence: Double?
  /// The element with the largest distance; nil where nothing differs, and for strings.
  public let worst: Element?

  /// An element in both tensors.
  public struct Element: Sendable, Equatable {
    /// Its position in row-major order.
    public let position: Int
    /// The number that the reference has.
    public let reference: Double
    /// The number that the other one has.
    public let other: Double

    /// The element at a position, with these numbers.
    package init(position: Int, reference: Double, other: Double) {
      self.position = position
      self.reference = reference
      self.other = other
    }
  }

  /// Whether an element differs by more than the tolerance.
  public var isExcessive: Bool { excessCount > 0 }

  /// The difference of `other` from `reference`; nil where shapes differ, or one holds strings and
  /// the other numbers.
  ///
  /// Without a tolerance, integers and tensors quantized alike must be equal, and other numbers as
  /// `Tolerance.usual` says.
  package init?(of other: TypedArray, from reference: TypedArray, tolerance: Tolerance?) {
    guard other.array.shape == reference.array.shape else { return nil }
    if case .string = reference.array.elementType, case .string = other.array.elementType {
      self.init(ofStrings: other.array, from: reference.array)
      return
    }
    let areAlike =
      reference.type.elementType == other.type.elementType
      && reference.type.quantization == other.type.quantization
    if areAlike, reference.type.elementType.quantizedRange != nil, other.array == reference.array {
      self.init(ofEqual: reference)
      return
    }
    guard let first = RealValues(reference.type, reference.array),
      let second = RealValues(other.type, other.array),
      first.numbers.count == second.numbers.count
    else { return nil }
    let isQuantized = areAlike && AffineScales(reference.type) != nil
    let quantizedValues = areAlike ? (first.integers, second.integers) : (nil, nil)
    var sums = DifferenceSums(
      tolerance: tolerance ?? (quantizedValues.0 == nil ? .usual : .absolute(0)),
      reference: first.numbers)
    for position in first.numbers.indices {
      var quanta: UInt64?
      if let first = quantizedValues.0, let second = quantizedValues.1 {
        let (high, low) = (
          max(first[position], second[position]), min(first[position], second[position])
        )
        quanta = UInt64(bitPattern: high &- low)
      }
      sums.add(first.numbers[position], second.numbers[position], quanta, at: position)
    }
    self.init(
      elementCount: first.numbers.count, sums, isQuantized: isQuantized,
      divergence: Self.divergence(of: second.numbers, from: first.numbers))
  }

  private init(
    elementCount: Int, _ sums: DifferenceSums, isQuantized: Bool, divergence: Double?
  ) {
    self.elementCount = elementCount
    differingCount = sums.differing
    excessCount = sums.excess
    maximum = sums.maximum
    maximumQuanta = isQuantized ? Int(clamping: sums.quanta) : nil
    meanSquare = sums.meanSquare
    signalToNoise = sums.signalToNoise
    peakSignalToNoise = sums.peakSignalToNoise
    cosine = sums.cosine
    self.divergence = divergence
    worst = sums.worst
  }

  /// Integers that are the same in both, whose numbers need not be looked at.
  private init(ofEqual tensor: TypedArray) {
    let count = tensor.array.shape.elementCount
    let sums = DifferenceSums(ofEqual: count)
    self.init(
      elementCount: count, sums, isQuantized: AffineScales(tensor.type) != nil,
      divergence: count == 0 ? nil : 0)
  }

  /// Strings, of which any that differ are beyond every tolerance.
  private init(ofStrings other: NpyArray, from reference: NpyArray) {
    elementCount = reference.shape.elementCount
    differingCount = zip(reference.strings, other.strings).count { $0 != $1 }
    excessCount = differingCount
    (maximum, maximumQuanta, meanSquare, signalToNoise) = (nil, nil, nil, nil)
    (peakSignalToNoise, cosine, divergence, worst) = (nil, nil, nil, nil)
  }

  /// The number of bins of the histograms that are compared.
  private static let binCount = 128

  private static func divergence(of other: [Double], from reference: [Double]) -> Double? {
    var (least, most) = (Double.infinity, -Double.infinity)
    for numbers in [reference, other] {
      for number in numbers where number.isFinite {
        least = min(least, number)
        most = max(most, number)
      }
    }
    guard least <= most else { return nil }
    // Halves first, as the width of the range of all floats is infinite.
    let half = most / 2 - least / 2
    guard half > 0 else { return 0 }
    func shares(_ numbers: [Double]) -> [Double] {
      var counts = [Double](repeating: 0.5, count: binCount)
      var total = 0.5 * Double(binCount)
      for number in numbers where number.isFinite {
        let location = (number / 2 - least / 2) / half * Double(binCount)
        counts[min(Int(location), binCount - 1)] += 1
        total += 1
      }
      return counts.map { $0 / total }
    }
    return zip(shares(reference), shares(other)).reduce(0) { sum, shares in
      sum + shares.0 * log(shares.0 / shares.1)
    }
  }
}

/// Sums over the elements of two tensors.
private struct DifferenceSums {
  private let tolerance: Tolerance
  private let largest: Double
  private(set) var differing = 0
  private(set) var excess = 0
  private(set) var maximum = 0.0
  private(set) var quanta: UInt64 = 0
  private(set) var worst: TensorDifference.Element?
  private var count = 0
  private var noise = 0.0
  private var signal = 0.0
  private var otherSignal = 0.0
  private var product = 0.0

  init(tolerance: Tolerance, reference: [Double]) {
    self.tolerance = tolerance
    var largest = 0.0
    for number in reference where number.isFinite { largest = max(largest, number.magnitude) }
    self.largest = largest
  }

  /// The sums over so many equal elements, without those that only differing ones need.
  init(ofEqual count: Int) {
    tolerance = .absolute(0)
    largest = 0
    self.count = count
  }

  /// Adds an element; `quanta` is the distance of the integers, where both are integers of one
  /// kind.
  mutating func add(_ first: Double, _ second: Double, _ quanta: UInt64?, at position: Int) {
    count += 1
    if first.isFinite, second.isFinite {
      signal += first * first
      otherSignal += second * second
      product += first * second
    }
    let isEqual = quanta.map { $0 == 0 } ?? (first == second || first.isNaN && second.isNaN)
    if isEqual { return }
    differing += 1
    self.quanta = max(self.quanta, quanta ?? 0)
    let difference = (first - second).magnitude
    let distance = difference.isNaN ? .infinity : difference
    if distance > tolerance.allowed(first.magnitude, largest: largest) || distance == .infinity {
      excess += 1
    }
    noise += distance * distance
    if worst == nil || distance > maximum {
      maximum = distance
      worst = TensorDifference.Element(position: position, reference: first, other: second)
    }
  }

  var meanSquare: Double? { count == 0 ? nil : noise / Double(count) }

  var signalToNoise: Double? {
    count == 0 ? nil : noise == 0 ? .infinity : 10 * log10(signal / noise)
  }

  var peakSignalToNoise: Double? {
    meanSquare.map { $0 == 0 ? .infinity : 10 * log10(largest * largest / $0) }
  }

  var cosine: Double? {
    if count == 0 { return nil }
    if differing == 0 || signal == 0 && otherSignal == 0 { return 1 }
    guard signal > 0, otherSignal > 0 else { return 0 }
    return max(-1, min(1, product / (signal.squareRoot() * otherSignal.squareRoot())))
  }
}

extension NpyArray {
  /// The strings of an `S<n>` array, without the NULs that fill them up; none for other types.
  fileprivate var strings: [[UInt8]] {
    if case .string(let length) = elementType { strings(length: length) } else { [] }
  }
}
