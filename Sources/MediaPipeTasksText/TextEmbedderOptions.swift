// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MediaPipeTasksCommon
import ModelTasks

/// How the vectors of texts are finished.
public final class TextEmbedderOptions: TaskOptions {
  /// Whether vectors are divided by their length; not needed where the model does so.
  public var l2Normalize = false
  /// Whether elements become 8-bit integers.
  public var quantize = false

  /// Vectors as the model computes them.
  public required init() { super.init() }

  /// The same options, which may be changed without changing these.
  public override func copy(with zone: NSZone? = nil) -> Any {
    duplicate(\.l2Normalize, \.quantize)
  }

  var finishing: EmbeddingOptions {
    var options = EmbeddingOptions()
    options.normalizesLength = l2Normalize
    options.isQuantized = quantize
    return options
  }
}
