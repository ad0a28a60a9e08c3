// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon

/// How sounds are classified.
public final class AudioClassifierOptions: CategoryTaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.audioClips
  /// Who gets the results of a stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var audioClassifierStreamDelegate: (any AudioClassifierStreamDelegate)?

  /// All results of clips.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.audioClassifierStreamDelegate)
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
