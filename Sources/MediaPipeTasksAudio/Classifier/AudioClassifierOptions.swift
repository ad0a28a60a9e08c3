// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon

/// How sounds are classified.
public final class AudioClassifierOptions: TaskOptions, CategoryOptions {
  /// What the task is given.
  public var runningMode = RunningMode.audioClips
  /// Who gets the results of a stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var audioClassifierStreamDelegate: (any AudioClassifierStreamDelegate)?
  /// The language of display names; empty for English.
  public var displayNamesLocale = ""
  /// The most results; all where it is negative; 0 is refused.
  public var maxResults = -1
  /// The score that results must reach, instead of the model's own threshold.
  public var scoreThreshold: Float = 0
  /// If not empty, only these categories are reported; excludes `categoryDenylist`.
  public var categoryAllowlist: [String] = []
  /// These categories are not reported.
  public var categoryDenylist: [String] = []

  /// All results of clips.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.audioClassifierStreamDelegate, \.displayNamesLocale, \.maxResults,
      \.scoreThreshold, \.categoryAllowlist, \.categoryDenylist)
  }
}

/// Gets what is found in the windows of a stream, on a serial queue of the task's own.
public protocol AudioClassifierStreamDelegate: NSObjectProtocol {
  /// What is found in a window.
  ///
  /// - Parameters:
  ///   - audioClassifier: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that the window begins at.
  ///   - error: why the task failed on the stream; nil where it did not.
  func audioClassifier(
    _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
    timestampInMilliseconds: Int, error: (any Error)?)
}

extension AudioClassifierStreamDelegate {
  /// Nothing: the method is optional in the original.
  public func audioClassifier(
    _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
    timestampInMilliseconds: Int, error: (any Error)?
  ) {}
}
