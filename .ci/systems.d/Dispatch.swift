// SPDX-License-Identifier: Apache-2.0

// What targets without Foundation use of Dispatch, as Apple's systems declare it.

public struct DispatchQoS: Sendable {
  public enum QoSClass: Sendable {
    case userInteractive, userInitiated, `default`, utility, background, unspecified
  }
}

public final class DispatchQueue: Sendable {
  public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
    DispatchQueue()
  }
  public func async(execute work: @escaping @Sendable () -> Void) { work() }
}

public final class DispatchSemaphore: Sendable {
  public init(value: Int) {}
  @discardableResult public func signal() -> Int { 0 }
  public func wait() {}
}
