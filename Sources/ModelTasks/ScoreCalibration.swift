// SPDX-License-Identifier: Apache-2.0

public import MetadataFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes the scores of different classes comparable.
///
///     calibrated(x) = scale / (1 + exp(−(slope · g(x) + offset)))
///
/// with parameters for each class and `g` the identity, `log x` or `log x − log (1 − x)`.
/// TensorFlow Lite metadata: `ScoreCalibrationOptions` and its calibration file.
public struct ScoreCalibration: Sendable, Equatable {
  /// The sigmoid of one class.
  public struct Sigmoid: Sendable, Equatable {
    let scale: Float
    let slope: Float
    let offset: Float
    let minimum: Float?
  }

  private let sigmoids: [Sigmoid?]
  private let options: ScoreCalibrationOptions

  /// The calibration in `file`: for each class a line of 3 or 4 numbers (scale, slope, offset and
  /// the least score that is calibrated) separated by commas, or an empty line.
  ///
  /// - Throws: `TaskError.labels` for a line of another form.
  public init(file: [UInt8], options: ScoreCalibrationOptions) throws(TaskError) {
    self.options = options
    var sigmoids: [Sigmoid?] = []
    for (number, line) in LabelMap.lines(of: file).enumerated() {
      sigmoids.append(try Self.sigmoid(line, number: number + 1))
    }
    self.sigmoids = sigmoids
  }

  private static func sigmoid(_ line: String, number: Int) throws(TaskError) -> Sigmoid? {
    guard !line.isEmpty else { return nil }
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Float($0.trimming(" \t")) }
    guard numbers.count == fields.count, [3, 4].contains(numbers.count),
      numbers.allSatisfy(\.isFinite), numbers[0] >= 0
    else { throw .labels("line \(number) of the calibration file is no list of 3 or 4 numbers") }
    return Sigmoid(
      scale: numbers[0], slope: numbers[1], offset: numbers[2],
      minimum: numbers.count == 4 ? numbers[3] : nil)
  }

  /// The calibrated score of class `index`.
  public func calibrated(_ score: Float, index: Int) -> Float {
    guard sigmoids.indices.contains(index), let sigmoid = sigmoids[index] else {
      return options.defaultScore
    }
    if let minimum = sigmoid.minimum, score < minimum { return options.defaultScore }
    let x = sigmoid.slope * transformed(score) + sigmoid.offset
    // Whichever sign, the exponential is at most 1.
    return x >= 0
      ? sigmoid.scale / (1 + exp(-x)) : sigmoid.scale * exp(x) / (1 + exp(x))
  }

  private func transformed(_ score: Float) -> Float {
    let least: Float = 1e-16
    switch options.transformation {
    case .identity: return score
    case .log: return log(max(score, least))
    case .inverseLogistic: return log(max(score, least)) - log(max(1 - score, least))
    }
  }
}

extension Substring {
  /// The text without the characters in `set` at both ends.
  fileprivate func trimming(_ set: String) -> Substring {
    var text = self
    while let first = text.first, set.contains(first) { text.removeFirst() }
    while let last = text.last, set.contains(last) { text.removeLast() }
    return text
  }
}
