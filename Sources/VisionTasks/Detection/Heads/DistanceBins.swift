// SPDX-License-Identifier: Apache-2.0

/// How distances from the cells of grids to the edges of boxes, each a distribution over whole
/// numbers, become boxes: NanoDet, and YOLOv8 and later where the model leaves the decoding to
/// others.
///
/// A candidate has a value for each class and, for the left, top, right and bottom edge in turn,
/// the logits of the distances 0, 1, … `binCount` − 1 in units of the cell's size. The edge lies at
/// the mean of that distribution:
///
///     left = (column + cellOffset − Σ i softmax(logits)ᵢ) × stride
///
/// With one bin, the number itself is the distance, as in FCOS. "Generalized Focal Loss", Li et
/// al., 2020, has the distribution; the order of fields is that of NanoDet's exports.
public struct DistanceBins: Sendable, Hashable {
  /// How the candidates lie in the outputs.
  public enum Layout: String, Sendable, Hashable, CaseIterable {
    /// One output `[1, n, classes + 4 × bins]`, the candidates of all grids one after another.
    case joined
    /// For each grid one output `[1, rows, columns, classes + 4 × bins]` or
    /// `[1, n, classes + 4 × bins]`.
    case perGrid
    /// For each grid one output with classes and one with distances, told apart by their depths;
    /// with as many classes as distances, the classes come first.
    case separate
  }

  /// The distances of the grids' cells in pixels of the input, in the order of the candidates.
  public var strides: [Int]
  /// The number of logits for each edge.
  public var binCount: Int
  /// How the candidates lie in the outputs.
  public var layout = Layout.joined
  /// Where a cell's candidate lies, from the cell's left or top edge in units of its size.
  public var cellOffset: Float = 0
  /// Whether the distances come before the classes.
  public var hasDistancesFirst = false
  /// What makes scores of a candidate's values.
  public var scoreFunction = RawHeads.ScoreFunction.identity

  /// Distances in grids of these strides.
  public init(strides: [Int], binCount: Int) {
    self.strides = strides
    self.binCount = binCount
  }

  /// NanoDet-Plus: four grids of 8 to 64 pixels, 8 bins, scores after their sigmoid.
  public static let nanoDetPlus = DistanceBins(strides: [8, 16, 32, 64], binCount: 8)

  /// NanoDet before Plus: three grids of 8 to 32 pixels, 8 bins, candidates in the cells' middles.
  public static let nanoDet: DistanceBins = {
    var bins = DistanceBins(strides: [8, 16, 32], binCount: 8)
    bins.cellOffset = 0.5
    return bins
  }()

  /// YOLOv8 and later without their decoding: three grids `[1, rows, columns, 64 + classes]`,
  /// 16 bins before the logits of classes.
  public static let yoloV8: DistanceBins = {
    var bins = DistanceBins(strides: [8, 16, 32], binCount: 16)
    bins.cellOffset = 0.5
    bins.layout = .perGrid
    bins.hasDistancesFirst = true
    bins.scoreFunction = .sigmoid
    return bins
  }()
}
