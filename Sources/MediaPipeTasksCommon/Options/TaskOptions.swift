// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What options of all tasks derive from.
open class TaskOptions: NSObject, NSCopying {
  /// Where the model is; assigning keeps a copy.
  public var baseOptions: BaseOptions {
    get { base }
    set { base = newValue.duplicate }
  }
  private var base = BaseOptions()

  /// Options without a model.
  public override init() {}

  /// The same options, which may be changed without changing these.
  open func copy(with zone: NSZone? = nil) -> Any {
    let options = TaskOptions()
    options.baseOptions = baseOptions
    return options
  }
}
