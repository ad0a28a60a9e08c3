// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A model that a host has; its subclasses say which.
public class RemoteModel: NSObject, @unchecked Sendable {
  /// The name by which the host knows the model.
  public let name: String
  let generation: Generation

  init(name: String, generation: Generation) {
    self.name = name
    self.generation = generation
  }
}

/// Where a remote model comes from; its subclass `FirebaseModelSource` says which.
public class RemoteModelSource: NSObject, @unchecked Sendable {
  let name: String

  init(modelName: String) { name = modelName }
}

/// A model on a host that speaks the protocol of Firebase ML.
public final class FirebaseModelSource: RemoteModelSource, @unchecked Sendable {
  /// The model of a name.
  public init(name: String) { super.init(modelName: name) }
}

/// A custom model on a host.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model of a name: Firebase ML Kit's form.
  public init(name: String) { super.init(name: name, generation: .firebase) }

  /// The model of a source: ML Kit's form.
  public init(remoteModelSource: RemoteModelSource) {
    super.init(name: remoteModelSource.name, generation: .mlKit)
  }
}

/// A model on a host that AutoML Vision Edge trained.
public final class AutoMLRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model of a name.
  public init(name: String) { super.init(name: name, generation: .firebase) }
}

/// A model on a host that AutoML Vision Edge trained: ML Kit's former name.
@available(*, deprecated, message: "use CustomRemoteModel")
public final class AutoMLImageLabelerRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model of a name.
  public init(name: String) { super.init(name: name, generation: .mlKit) }
}
