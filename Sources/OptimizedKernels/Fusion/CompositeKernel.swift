// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels

/// A kernel that is made of others.
package protocol CompositeKernel: Kernel {
  /// The others, in the order in which they work.
  var parts: [any Kernel] { get }
}

/// The name of a kernel's type, or of those that it is made of.
package func name(of kernel: any Kernel) -> String {
  guard let composite = kernel as? any CompositeKernel else { return "\(type(of: kernel))" }
  return composite.parts.map(name(of:)).joined(separator: " + ")
}
