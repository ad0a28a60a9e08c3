// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The sizes of images before and after a resize.
package struct ResizedImages: Sendable, Hashable {
  /// Images in the batch.
  package let batchCount: Int
  /// Rows of an image.
  package let height: Int
  /// Columns of an image.
  package let width: Int
  /// Channels of a pixel.
  package let depth: Int
  /// Rows of a result.
  package let outputHeight: Int
  /// Columns of a result.
  package let outputWidth: Int
  /// The output's shape.
  package let shape: Shape

  /// The sizes of a node: input 0 is `[batch, height, width, depth]`, input 1 holds the new
  /// height and width.
  init(_ node: PrepareContext) throws(KernelError) {
    try node.expect(inputs: 2...2)
    let (input, size) = (try node.input(0).shape, try node.input(1))
    guard input.rank == 4 else { throw .rank(input.rank, wanted: "4", .input(0)) }
    try size.expect(.int32, .input(1))
    guard size.shape == [2] else { throw .invalid("shape \(size.shape), wanted 2", .input(1)) }
    let lengths = try node.integers(1)
    (batchCount, height, width, depth) = (input[0], input[1], input[2], input[3])
    (outputHeight, outputWidth) = (lengths[0], lengths[1])
    shape = try Shape.checked([batchCount, outputHeight, outputWidth, depth])
    guard shape.elementCount == 0 || input.elementCount > 0 else {
      throw .invalid("images of \(input) have no pixels", .input(0))
    }
  }
}
