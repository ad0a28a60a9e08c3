// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `RESIZE_BILINEAR`.
public struct ResizeBilinearOptions: OptionsTable {
  /// Whether the centres of the corner pixels coincide.
  public var alignsCorners: Bool = false
  /// Whether pixel centres lie at halves.
  public var halfPixelCenters: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    alignsCorners = try table.bool(2, default: alignsCorners)
    halfPixelCenters = try table.bool(3, default: halfPixelCenters)
  }
}

/// Options of `RESIZE_NEAREST_NEIGHBOR`.
public struct ResizeNearestNeighborOptions: OptionsTable {
  /// Whether the centres of the corner pixels coincide.
  public var alignsCorners: Bool = false
  /// Whether pixel centres lie at halves.
  public var halfPixelCenters: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    alignsCorners = try table.bool(0, default: alignsCorners)
    halfPixelCenters = try table.bool(1, default: halfPixelCenters)
  }
}
