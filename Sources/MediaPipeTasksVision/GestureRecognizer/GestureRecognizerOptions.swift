// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon

/// How gestures are recognized.
public final class GestureRecognizerOptions: TaskOptions {
  /// What the task is given.
  public var runningMode = RunningMode.image
  /// Who gets the results of a live stream; to be set in that mode only.
  ///
  /// The options and the task do not keep it alive.
  public weak var gestureRecognizerLiveStreamDelegate: (any GestureRecognizerLiveStreamDelegate)?
  /// The most hands.
  public var numHands: Int = 1
  /// The least score of the palm detector, from 0 to 1.
  public var minHandDetectionConfidence: Float = 0.5
  /// The least probability of the landmark model that it sees a hand.
  public var minHandPresenceConfidence: Float = 0.5
  /// The overlap from which a detection is a hand of the frame before.
  public var minTrackingConfidence: Float = 0.5
  /// Which gestures of the bundle's own classifier count; nil for all; assigning keeps a copy.
  public var cannedGesturesClassifierOptions: ClassifierOptions? {
    get { canned }
    set { canned = newValue?.duplicate }
  }
  /// Which gestures of the bundle's custom classifier count; nil for all; assigning keeps a copy.
  public var customGesturesClassifierOptions: ClassifierOptions? {
    get { custom }
    set { custom = newValue?.duplicate }
  }
  private var canned: ClassifierOptions?
  private var custom: ClassifierOptions?

  /// MediaPipe's numbers, images.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(
      \.runningMode, \.gestureRecognizerLiveStreamDelegate, \.numHands,
      \.minHandDetectionConfidence, \.minHandPresenceConfidence, \.minTrackingConfidence,
      \.cannedGesturesClassifierOptions, \.customGesturesClassifierOptions)
  }
}

/// Gets what is found in the frames of a live stream, on a serial queue of the task's own.
public protocol GestureRecognizerLiveStreamDelegate: NSObjectProtocol {
  /// What is found in a frame; frames that the task has no time for are dropped without a call.
  ///
  /// - Parameters:
  ///   - gestureRecognizer: the task.
  ///   - result: what is found; nil where there is an error.
  ///   - timestampInMilliseconds: the time that was given with the frame.
  ///   - error: why the task failed on the frame; nil where it did not.
  func gestureRecognizer(
    _ gestureRecognizer: GestureRecognizer,
    didFinishGestureRecognition result: GestureRecognizerResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}

extension GestureRecognizerLiveStreamDelegate {
  /// Nothing: the method is optional in the original.
  public func gestureRecognizer(
    _ gestureRecognizer: GestureRecognizer,
    didFinishGestureRecognition result: GestureRecognizerResult?, timestampInMilliseconds: Int,
    error: (any Error)?
  ) {}
}
