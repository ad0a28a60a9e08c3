// SPDX-License-Identifier: Apache-2.0

public import MediaPipeTasksCommon
public import Foundation

/// How texts are classified.
public final class TextClassifierOptions: CategoryTaskOptions {
  /// All results.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any { duplicate() }
}
