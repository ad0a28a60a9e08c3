// SPDX-License-Identifier: Apache-2.0

extension KernelSet: CustomStringConvertible {
  /// The set's name.
  public var description: String { name }
}
