// SPDX-License-Identifier: Apache-2.0

import Formatting
import RunComparisons

/// What a metric must be: `top1>=0.9`.
struct MetricAssertion: CustomStringConvertible {
  let metric: String
  let relation: DifferenceLimit.Relation
  let bound: Double

  /// What `--assert` asks for.
  ///
  /// - Parameters:
  ///   - arguments: the command line.
  ///   - metrics: the names that there are.
  /// - Returns: the assertions in the order in which they are given.
  /// - Throws: `CommandError.usage` where one is not of this form or names no metric.
  static func assertions(
    _ arguments: ParsedArguments, metrics: [String]
  ) throws(CommandError) -> [MetricAssertion] {
    var assertions: [MetricAssertion] = []
    for text in arguments.allValues("assert") {
      guard let (name, relation, bound) = DifferenceLimit.Relation.parse(text) else {
        throw arguments.usage(
          "'\(text)' for '--assert', wanted a metric, >=, >, <= or <, and a number")
      }
      guard metrics.contains(name) else {
        throw arguments.usage(
          "no metric '\(name)' for '--assert'",
          hint: "metrics are \(metrics.joined(separator: ", "))")
      }
      assertions.append(MetricAssertion(metric: name, relation: relation, bound: bound))
    }
    return assertions
  }

  /// Whether a metric is as it must be; one that has no value is not.
  func holds(_ metrics: [EvalMetric]) -> Bool {
    guard let value = value(metrics) else { return false }
    return relation.holds(value, bound)
  }

  /// The metric's value.
  func value(_ metrics: [EvalMetric]) -> Double? { metrics.first { $0.name == metric }?.value }

  /// The assertion as it is written.
  var description: String { "\(metric)\(relation.rawValue)\(bound.short())" }
}

/// A number of an evaluation.
struct EvalMetric {
  /// What options and JSON call it.
  let name: String
  /// What a reader is told.
  let title: String
  /// Nil where nothing says what it is.
  let value: Double?
  /// What is said behind it.
  var remark = ""
}
