// SPDX-License-Identifier: Apache-2.0

/// What a report says beyond what follows from the model and its inputs.
public struct AuditOptions: Sendable {
  /// How many results of a classifier are shown.
  public var topCount = 5
  /// Whether nodes are timed: times differ from run to run, and so do the bytes of the report then.
  public var measuresTime = false
  /// When the report was made; nil leaves it out.
  public var date: String?
  /// The command that makes the report again; empty leaves it out.
  public var command = ""
  /// The thread counts of the determinism proof.
  public var threadCounts = [1, 2, 3, 4]
  /// How many patches the occlusion map has on a side; 0 for no map.
  public var occlusionSteps = 8

  /// Where the inputs come from, if a task of several models made them.
  package var inputOrigin: InputOrigin?

  /// Five results, no times, no date.
  public init() {}
}
