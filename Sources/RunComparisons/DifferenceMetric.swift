// SPDX-License-Identifier: Apache-2.0

/// A number that says how far two tensors differ.
public enum DifferenceMetric: String, Sendable, CaseIterable {
  /// `TensorDifference.maximum`.
  case maximum = "max_abs"
  /// `TensorDifference.maximumQuanta`.
  case maximumQuanta = "max_quanta"
  /// `TensorDifference.meanSquare`.
  case meanSquare = "mse"
  /// `TensorDifference.signalToNoise`.
  case signalToNoise = "snr"
  /// `TensorDifference.peakSignalToNoise`.
  case peakSignalToNoise = "psnr"
  /// `TensorDifference.cosine`.
  case cosine
  /// `TensorDifference.divergence`.
  case divergence = "kl"
  /// `TensorDifference.differingCount`.
  case differing

  /// The metric of `difference`; nil where it has none, as strings.
  public func value(of difference: TensorDifference) -> Double? {
    switch self {
    case .maximum: difference.maximum
    case .maximumQuanta: difference.maximumQuanta.map(Double.init)
    case .meanSquare: difference.meanSquare
    case .signalToNoise: difference.signalToNoise
    case .peakSignalToNoise: difference.peakSignalToNoise
    case .cosine: difference.cosine
    case .divergence: difference.divergence
    case .differing: Double(difference.differingCount)
    }
  }
}

/// What a difference must not be: `max_abs>0.1`, `snr<30`.
public struct DifferenceLimit: Sendable, Hashable, CustomStringConvertible {
  /// What is looked at.
  public let metric: DifferenceMetric
  /// How it is compared with `bound`.
  public let relation: Relation
  /// The number that it is compared with.
  public let bound: Double

  /// A comparison of two numbers.
  public enum Relation: String, Sendable, CaseIterable {
    /// More than.
    case greater = ">"
    /// Less than.
    case less = "<"
    /// As much as, or more.
    case greaterOrEqual = ">="
    /// As much as, or less.
    case lessOrEqual = "<="

    /// Whether `value` is in this relation to `bound`; NaN is in none.
    public func holds(_ value: Double, _ bound: Double) -> Bool {
      switch self {
      case .greater: value > bound
      case .less: value < bound
      case .greaterOrEqual: value >= bound
      case .lessOrEqual: value <= bound
      }
    }

    /// A name, a relation and a number, as in `snr<30`; nil where `text` is something else.
    package static func parse(
      _ text: String
    ) -> (name: String, relation: Relation, bound: Double)? {
      guard let sign = text.firstIndex(where: { $0 == "<" || $0 == ">" }) else { return nil }
      let symbol = text[sign...].prefix { "<>=".contains($0) }
      guard let relation = Relation(rawValue: String(symbol)),
        let bound = Double(text[symbol.endIndex...]), !bound.isNaN
      else { return nil }
      return (String(text[..<sign]), relation, bound)
    }
  }

  /// The limit that holds where `metric` is not in this relation to `bound`.
  public init(_ metric: DifferenceMetric, _ relation: Relation, _ bound: Double) {
    self.metric = metric
    self.relation = relation
    self.bound = bound
  }

  /// What `text` says; nil where it is no metric, relation and number.
  public init?(parsing text: String) {
    guard let (name, relation, bound) = Relation.parse(text),
      let metric = DifferenceMetric(rawValue: name)
    else { return nil }
    self.init(metric, relation, bound)
  }

  /// Whether a difference is what it must not be.
  public func isBroken(by difference: TensorDifference) -> Bool {
    guard let value = metric.value(of: difference) else { return false }
    return relation.holds(value, bound)
  }

  /// The limit as `init(parsing:)` reads it.
  public var description: String { "\(metric.rawValue)\(relation.rawValue)\(bound)" }
}
