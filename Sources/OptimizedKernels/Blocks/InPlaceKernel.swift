// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels

/// A kernel whose output may take the memory of an input: it reads an element for the last time
/// before it writes the output's element in the same place.
package protocol InPlaceKernel: Kernel {
  /// The inputs that the output may replace.
  var replaceableInputs: [Int] { get }
}
