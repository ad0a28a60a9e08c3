// SPDX-License-Identifier: Apache-2.0

/// Options for one accelerator, which nobody else understands, and those that were added behind them.
///
/// None are used here: they are kept for the program that gave them.
@safe
public final class OpaqueOptions {
  /// One accelerator's options.
  @safe
  final class Node {
    let identifier: String
    let payload: UnsafeMutableRawPointer
    let destructor: @convention(c) (UnsafeMutableRawPointer?) -> Void
    var next: Node?

    init(
      _ identifier: String, _ payload: UnsafeMutableRawPointer,
      _ destructor: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
      self.identifier = identifier
      unsafe self.payload = payload
      unsafe self.destructor = destructor
    }

    deinit { unsafe destructor(payload) }

    /// This one or the last behind it.
    var last: Node {
      var node = self
      while let next = node.next { node = next }
      return node
    }
  }

  var head: Node?

  init(head: Node) { self.head = head }

  /// Options for the accelerator that looks for `identifier`.
  ///
  /// - Parameters:
  ///   - identifier: what the options are found by.
  ///   - payload: the options, in a form that the accelerator knows.
  ///   - destructor: called with the payload when nothing holds the options any more.
  /// - Throws: nothing.
  @unsafe
  public init(
    identifier: String, payload: UnsafeMutableRawPointer,
    destructor: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void = { _ in }
  ) throws {
    head = unsafe Node(identifier, payload, destructor)
  }

  /// What the first options are found by; empty if there are none.
  public var identifier: String { head?.identifier ?? "" }

  /// The first options; nil if there are none.
  @unsafe
  public var data: UnsafeMutableRawPointer? { unsafe head?.payload }

  /// The first options of this identifier; nil if there are none.
  @unsafe
  public func findData(identifier: String) -> UnsafeMutableRawPointer? {
    var node = head
    while let current = node, current.identifier != identifier { node = current.next }
    return unsafe node?.payload
  }

  /// The options behind the first; nil if there are none.
  public func next() -> OpaqueOptions? { head?.next.map(OpaqueOptions.init(head:)) }

  /// Adds options behind the last.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` where all of these, `.invalidArgument` where all of `other`
  ///   have been taken out.
  public func append(_ other: OpaqueOptions) throws {
    guard let head else { throw LiteRtError.runtimeFailure }
    guard let added = other.head else { throw LiteRtError.invalidArgument }
    head.last.next = added
  }

  /// Takes out the last options.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` where there are none.
  public func pop() throws {
    guard var node = head else { throw LiteRtError.runtimeFailure }
    guard node.next != nil else {
      head = nil
      return
    }
    while let next = node.next, next.next != nil { node = next }
    node.next = nil
  }
}
