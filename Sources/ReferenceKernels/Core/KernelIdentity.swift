// SPDX-License-Identifier: Apache-2.0

/// What tells a kernel from others of its family: a type, most often the kernel's.
public struct KernelIdentity: Sendable, Hashable {
  private let type: ObjectIdentifier

  /// The identity of kernels that `type` tells from others.
  package init<Type>(_ type: Type.Type) { self.type = ObjectIdentifier(type) }
}
