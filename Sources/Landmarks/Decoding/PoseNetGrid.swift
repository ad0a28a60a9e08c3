// SPDX-License-Identifier: Apache-2.0

/// PoseNet's maps with locations and distances in cells.
struct PoseNetGrid {
  /// A location in cells.
  struct Location {
    var x: Float
    var y: Float

    func squaredDistance(to point: Pose.KeyPoint) -> Float {
      (point.y - y) * (point.y - y) + (point.x - x) * (point.x - x)
    }
  }

  /// A key point that was found, but not yet taken into a person.
  struct Candidate: Scored {
    var location: Location
    var part: Int
    /// Log-odds.
    var score: Float
  }

  private struct Edge {
    let target: Int
    /// The channel of its vertical displacement; the horizontal one is 16 farther.
    let channel: Int
  }

  private static let edges: [[Edge]] = {
    var edges: [[Edge]] = BodyPart.allCases.map { _ in [] }
    for (index, (parent, child)) in Skeleton.poseNetEdges.enumerated() {
      edges[parent.rawValue].append(Edge(target: child.rawValue, channel: index))
    }
    for (index, (parent, child)) in Skeleton.poseNetEdges.enumerated() {
      edges[child.rawValue].append(
        Edge(target: parent.rawValue, channel: 2 * PoseNetMaps.edgeCount + index))
    }
    return edges
  }()

  /// Coral takes the first backward edge, from the left eye to the nose, for a forward one.
  private static let coralEdges: [[Edge]] = edges.map { edges in
    edges.map { edge in
      edge.channel == 2 * PoseNetMaps.edgeCount
        ? Edge(target: edge.target, channel: PoseNetMaps.edgeCount) : edge
    }
  }

  private let maps: PoseNetMaps
  private let stride: Float
  private let refinementSteps: Int
  private let edges: [[Edge]]

  init(_ maps: PoseNetMaps, _ decoder: PoseNetDecoder) {
    self.maps = maps
    stride = decoder.stride
    refinementSteps = decoder.refinementSteps
    edges = decoder.readsCoralChannels ? Self.coralEdges : Self.edges
  }

  /// Key points that are the best of the 3 × 3 cells around them, by falling scores.
  func roots(above least: Float) -> [Candidate] {
    var roots: [Candidate] = []
    for row in 0..<maps.rows {
      for column in 0..<maps.columns {
        for part in 0..<PoseNetMaps.keyPointCount {
          let score = maps.logOdds(row, column, part)
          guard score >= least, isLocalMaximum(row, column, part) else { continue }
          let offset = maps.offset(row, column, part)
          roots.append(
            Candidate(
              location: clamped(
                Location(x: Float(column) + offset.x / stride, y: Float(row) + offset.y / stride)),
              part: part, score: score))
        }
      }
    }
    return roots.sortedByScore()
  }

  private func isLocalMaximum(_ row: Int, _ column: Int, _ part: Int) -> Bool {
    let score = maps.logOdds(row, column, part)
    for y in max(row - 1, 0)...min(row + 1, maps.rows - 1) {
      for x in max(column - 1, 0)...min(column + 1, maps.columns - 1)
      where maps.logOdds(y, x, part) > score {
        return false
      }
    }
    return true
  }

  /// The person of a starting point, in cells.
  func pose(from root: Candidate) -> Pose {
    var points = [Pose.KeyPoint?](repeating: nil, count: PoseNetMaps.keyPointCount)
    var first = root
    first.score = score(at: root.location, root.part)
    // At most one candidate for each direction of each edge.
    var candidates = [first]
    while let index = candidates.indices.max(by: { candidates[$0].score < candidates[$1].score }) {
      let current = candidates.remove(at: index)
      guard points[current.part] == nil else { continue }
      points[current.part] = Pose.KeyPoint(
        x: current.location.x, y: current.location.y, score: current.score.sigmoid)
      for edge in edges[current.part] where points[edge.target] == nil {
        let location = follow(edge, from: current.location)
        candidates.append(
          Candidate(
            location: location, part: edge.target, score: score(at: location, edge.target)))
      }
    }
    let all = points.map { $0 ?? Pose.KeyPoint(x: -1, y: -1, score: 0) }
    let sum = all.map(\.score).sorted(by: >).reduce(0, +)
    return Pose(keyPoints: all, score: sum / Float(all.count))
  }

  private func follow(_ edge: Edge, from source: Location) -> Location {
    var location = moved(
      source, maps.displacements, length: 4 * PoseNetMaps.edgeCount, channel: edge.channel,
      distance: PoseNetMaps.edgeCount)
    for _ in 0..<refinementSteps {
      location = moved(
        location, maps.offsets, length: 2 * PoseNetMaps.keyPointCount, channel: edge.target,
        distance: PoseNetMaps.keyPointCount)
    }
    return location
  }

  private func moved(
    _ location: Location, _ map: [Float], length: Int, channel: Int, distance: Int
  ) -> Location {
    clamped(
      Location(
        x: location.x + sample(map, length, channel + distance, at: location) / stride,
        y: location.y + sample(map, length, channel, at: location) / stride))
  }

  private func score(at location: Location, _ part: Int) -> Float {
    sample(maps.heatmap, PoseNetMaps.keyPointCount, part, at: location)
  }

  /// Inside the grid; a location that is no number goes to its origin.
  private func clamped(_ location: Location) -> Location {
    Location(
      x: location.x.isNaN ? 0 : min(max(location.x, 0), Float(maps.columns - 1)),
      y: location.y.isNaN ? 0 : min(max(location.y, 0), Float(maps.rows - 1)))
  }

  /// A channel between four cells, for a location inside the grid.
  private func sample(_ map: [Float], _ length: Int, _ channel: Int, at location: Location) -> Float
  {
    let (left, top) = (Int(location.x), Int(location.y))
    let right = Float(left) == location.x ? left : min(left + 1, maps.columns - 1)
    let bottom = Float(top) == location.y ? top : min(top + 1, maps.rows - 1)
    let (x, y) = (location.x - Float(left), location.y - Float(top))
    let value = { (row: Int, column: Int) in map[(row * maps.columns + column) * length + channel] }
    return (1 - y) * ((1 - x) * value(top, left) + x * value(top, right)) + y
      * ((1 - x) * value(bottom, left) + x * value(bottom, right))
  }
}
