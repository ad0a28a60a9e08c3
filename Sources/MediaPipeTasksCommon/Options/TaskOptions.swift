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
  public required override init() {}

  /// The same options, which may be changed without changing these.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  /// Takes what options of several tasks have from `other`.
  func takeShared(from other: TaskOptions) { baseOptions = other.baseOptions }
}

extension NSCopying where Self: TaskOptions {
  /// The same options in an object of their own.
  ///
  /// - Parameter properties: what the options have beside those of their superclasses.
  /// - Returns: a copy of the options.
  package func duplicate<each Value>(
    _ properties: repeat ReferenceWritableKeyPath<Self, each Value>
  ) -> Self {
    let copy = Self()
    copy.takeShared(from: self)
    func take<Property>(_ property: ReferenceWritableKeyPath<Self, Property>) {
      copy[keyPath: property] = self[keyPath: property]
    }
    repeat take(each properties)
    return copy
  }
}

/// A task that is made from options.
public protocol OptionsTask {
  /// What describes the task.
  associatedtype Options: TaskOptions

  /// A task that the options describe.
  init(options: Options) throws
}

extension OptionsTask {
  /// A task with the options' defaults that runs the model at this path.
  ///
  /// - Throws: `NSError` where there is no such file, or it is no model for this task.
  public init(modelPath: String) throws {
    let options = Options()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }
}
