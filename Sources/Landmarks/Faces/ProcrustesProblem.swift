// SPDX-License-Identifier: Apache-2.0

/// Points with weights, which are turned, enlarged and shifted to where other points are.
///
/// The weighted orthogonal problem of D. Akca, "Generalized Procrustes analysis and its
/// applications in photogrammetry" (2003), section 2.4, without reflections, as MediaPipe's
/// `procrustes_solver.cc` solves it; here in double precision.
struct ProcrustesProblem: Sendable, Hashable {
  /// The points and weights that count.
  private let sources: [(index: Int, point: SIMD3<Double>, weight: Double)]
  private let center: SIMD3<Double>
  private let totalWeight: Double
  private static let least = 1e-9

  /// A problem for points, most of which may have the weight 0; nil where all have.
  init?(_ points: [SIMD3<Double>], weights: [Double]) {
    sources = zip(points, weights).enumerated().compactMap { index, pair in
      pair.1 > 0 ? (index, pair.0, pair.1) : nil
    }
    totalWeight = sources.reduce(0) { $0 + $1.weight }
    guard totalWeight > Self.least, totalWeight.isFinite else { return nil }
    center = sources.reduce(SIMD3()) { $0 + $1.point * $1.weight } / totalWeight
  }

  static func == (first: Self, second: Self) -> Bool {
    first.sources.elementsEqual(second.sources) { $0 == $1 }
  }

  func hash(into hasher: inout Hasher) {
    for source in sources { hasher.combine(source.point) }
  }

  /// What brings the points nearest to others.
  ///
  /// - Parameter targets: as many points as the problem was made of.
  /// - Returns: the transformation; nil where the points lie on one, or are no numbers.
  func solution(_ targets: [SIMD3<Double>]) -> SpatialTransformation? {
    // The columns of Σ w · target · (source − center)ᵀ.
    var design = [SIMD3<Double>](repeating: SIMD3(), count: 3)
    for (index, point, weight) in sources {
      let moved = (point - center) * weight
      for axis in 0..<3 { design[axis] += targets[index] * moved[axis] }
    }
    guard let turn = Self.rotation(design) else { return nil }
    func turned(_ point: SIMD3<Double>) -> SIMD3<Double> { Self.product(turn, point) }
    var (numerator, denominator) = (0.0, 0.0)
    for (index, point, weight) in sources {
      let moved = (point - center) * weight
      numerator += turned(moved).dot(targets[index])
      denominator += moved.dot(point)
    }
    guard denominator > Self.least, numerator / denominator > Self.least else { return nil }
    let scale = numerator / denominator
    let difference = sources.reduce(SIMD3<Double>()) { sum, source in
      sum + (targets[source.index] - turned(source.point) * scale) * source.weight
    }
    return SpatialTransformation(columns: turn.map { $0 * scale }, shift: difference / totalWeight)
  }

  /// The turn `U Vᵀ` of a matrix `U S Vᵀ`, its columns; nil for a matrix of rank 1 or less.
  ///
  /// A one-sided Jacobi iteration makes the matrix' columns perpendicular. The third axis follows
  /// from the other two, so that the turn is no reflection.
  private static func rotation(_ matrix: [SIMD3<Double>]) -> [SIMD3<Double>]? {
    var columns = matrix
    var turns = [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
    for _ in 0..<32 {
      var isDone = true
      for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        let product = columns[first].dot(columns[second])
        let (a, b) = (columns[first].dot(columns[first]), columns[second].dot(columns[second]))
        guard abs(product) > 1e-15 * (a * b).squareRoot(), product.isFinite else { continue }
        isDone = false
        let ratio = (b - a) / (2 * product)
        let tangent = (ratio < 0 ? -1 : 1) / (abs(ratio) + (1 + ratio * ratio).squareRoot())
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        (columns[first], columns[second]) = turned(columns, first, second, cosine, tangent)
        (turns[first], turns[second]) = turned(turns, first, second, cosine, tangent)
      }
      if isDone { break }
    }
    let lengths = columns.map(\.length)
    let order = [0, 1, 2].sorted { lengths[$0] > lengths[$1] }
    guard lengths[order[1]] > least, lengths.allSatisfy(\.isFinite) else { return nil }
    let left = [order[0], order[1]].map { columns[$0] / lengths[$0] }
    let right = [order[0], order[1]].map { turns[$0] }
    let (leftNormal, rightNormal) = (left[0].cross(left[1]), right[0].cross(right[1]))
    return (0..<3).map { axis in
      var column = left[0] * right[0][axis]
      column += left[1] * right[1][axis]
      column += leftNormal * rightNormal[axis]
      return column
    }
  }

  /// A matrix, given by its columns, times a vector.
  static func product(_ columns: [SIMD3<Double>], _ vector: SIMD3<Double>) -> SIMD3<Double> {
    var sum = columns[0] * vector.x
    sum += columns[1] * vector.y
    sum += columns[2] * vector.z
    return sum
  }

  private static func turned(
    _ vectors: [SIMD3<Double>], _ first: Int, _ second: Int, _ cosine: Double, _ tangent: Double
  ) -> (SIMD3<Double>, SIMD3<Double>) {
    let sine = cosine * tangent
    let (a, b) = (vectors[first], vectors[second])
    return (a * cosine - b * sine, a * sine + b * cosine)
  }
}
