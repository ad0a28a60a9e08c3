// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where computations run.
public enum Delegate: UInt, Sendable {
  /// On the processor.
  case CPU
  /// On a graphics processor; here on the processor as well.
  case GPU
}

/// What options of all tasks have in common: where the model is.
public final class BaseOptions: NSObject, NSCopying {
  /// The path of the model file; empty for none.
  public var modelAssetPath = ""
  /// Where computations run; here always on the processor.
  public var delegate = Delegate.CPU

  /// No model, on the processor.
  public override init() {}

  /// The same options, which may be changed without changing these.
  public func copy(with zone: NSZone? = nil) -> Any { duplicate }

  /// The same options, which may be changed without changing these.
  package var duplicate: BaseOptions {
    let options = BaseOptions()
    options.modelAssetPath = modelAssetPath
    options.delegate = delegate
    return options
  }
}
