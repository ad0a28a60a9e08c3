// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// What running an operator of a session again comes to: a copy from or to a variable, or nothing.
final class SessionRepetition {
  /// The variable and its version; nil for nothing.
  private let variable: Variable?
  private let version: Int
  private let source: TensorBytes
  private let target: TensorBytes
  /// What it costs, in the units of `Limits.workCount`.
  let work: Int

  /// Nothing.
  init(work: Int) {
    (variable, version, self.work) = (nil, 0, work)
    (source, target) = (TensorBytes(zeroed: 0), TensorBytes(zeroed: 0))
  }

  /// A copy of `source`, the variable's bytes or those that become its own.
  init(_ variable: Variable, from source: TensorBytes, to target: TensorBytes, work: Int) {
    (self.variable, version, self.work) = (variable, variable.version, work)
    (self.source, self.target) = (source, target)
  }

  /// Does it; false where the variable has got another type or other memory.
  func perform() -> Bool {
    guard let variable else { return true }
    return variable.version == version && target.copy(from: source)
  }
}

/// Where a plan keeps what running a node's operator of a session again comes to, once a run has told.
///
/// Copies of variables are tens of bytes in many models: counting references to what copies them takes
/// as long.
@safe
final class SessionSlot {
  /// What there is.
  private(set) var repetition: SessionRepetition?
  /// The same, uncounted.
  @safe @exclusivity(unchecked)
  private var uncounted: Unmanaged<SessionRepetition>?

  /// Keeps this from now on.
  func keep(_ repetition: SessionRepetition?) {
    self.repetition = repetition
    unsafe uncounted = repetition.map { unsafe Unmanaged.passUnretained($0) }
  }

  /// Does it and says what it costs, in the units of `Limits.workCount`; nil where it is not known.
  @inline(__always)
  func perform() -> Int? {
    guard let uncounted else { return nil }
    return unsafe uncounted._withUnsafeGuaranteedRef { $0.perform() ? $0.work : nil }
  }
}
