// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon
public import Foundation

/// How languages are told.
public final class LanguageDetectorOptions: CategoryTaskOptions {
  /// All results; `scoreThreshold` is -1.
  public required init() {
    super.init()
    scoreThreshold = -1
  }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any { duplicate() }
}
