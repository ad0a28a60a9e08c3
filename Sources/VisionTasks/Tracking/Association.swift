// SPDX-License-Identifier: Apache-2.0

import Imaging

/// Matches the observations of a frame with known objects, in stages.
struct Association {
  /// For each track, the position of its candidate.
  private(set) var candidateOfTrack: [Int?]
  /// Candidates that no track has.
  private(set) var freeCandidates: Set<Int>

  private let tracks: [Track]
  private let candidates: [Candidate]
  private let options: ObjectTracker.Options

  /// The best matches.
  ///
  /// 1. Objects seen lately take confident observations, by place and look.
  /// 2. Those left over take doubtful observations, by place alone.
  /// 3. Objects without an observation, and those lost for some time, take confident ones that
  ///    look like them.
  /// 4. Objects that have no ID yet take what is left.
  init(_ tracks: [Track], _ candidates: [Candidate], options: ObjectTracker.Options) {
    self.tracks = tracks
    self.candidates = candidates
    self.options = options
    candidateOfTrack = [Int?](repeating: nil, count: tracks.count)
    freeCandidates = Set(candidates.indices)

    let present = tracks.indices.filter { tracks[$0].id != nil && !tracks[$0].isLost }
    let lost = tracks.indices.filter { tracks[$0].id != nil && tracks[$0].isLost }
    let unconfirmed = tracks.indices.filter { tracks[$0].id == nil }
    match(present, confident: true, singleCost: Self.largestCost, cost: continuation)
    match(present, confident: false, singleCost: Self.largestCost, cost: doubtfulContinuation)
    match(present + lost, confident: true, singleCost: 2, cost: reidentification)
    match(unconfirmed, confident: true, singleCost: Self.largestCost, cost: continuation)
  }

  private mutating func match(
    _ tracks: [Int], confident: Bool, singleCost: Double, cost: (Track, Candidate) -> Double?
  ) {
    let rows = tracks.filter { candidateOfTrack[$0] == nil }
    let columns = freeCandidates.sorted().filter {
      (candidates[$0].score >= options.confidentScore) == confident
    }
    guard !rows.isEmpty, !columns.isEmpty else { return }
    let costs = rows.map { row in
      columns.map { cost(self.tracks[row], candidates[$0]) }
    }
    for (row, column) in zip(rows, Assignment(costs: costs, singleCost: singleCost).columns) {
      guard let column else { continue }
      candidateOfTrack[row] = columns[column]
      freeCandidates.remove(columns[column])
    }
  }

  /// How unlikely it is that an observation continues a track that was seen lately.
  private func continuation(_ track: Track, _ candidate: Candidate) -> Double? {
    let box = track.motion.box
    let overlap = box.overlap(with: candidate.box)
    if overlap < 0.3 {
      guard track.motion.surprise(at: candidate.box) <= MotionFilter.largestSurprise,
        box.sizeRatio(to: candidate.box) <= Self.largestSizeRatio
      else { return nil }
    }
    var cost = box.disagreement(with: candidate.box)
    if let known = track.appearance, let seen = candidate.appearance {
      let distance = known.distance(to: seen)
      guard distance <= 0.75 || overlap >= 0.5 else { return nil }
      cost += (distance - cost) * min(max(options.appearanceWeight, 0), 1)
    }
    return cost + categoryCost(track, candidate)
  }

  /// The same for an observation that the detector doubts: only where it clearly overlaps.
  private func doubtfulContinuation(_ track: Track, _ candidate: Candidate) -> Double? {
    let box = track.motion.box
    guard box.overlap(with: candidate.box) >= 0.4 else { return nil }
    var cost = box.disagreement(with: candidate.box)
    if let known = track.appearance, let seen = candidate.appearance {
      // What hides the object changes its look, but seldom altogether.
      let distance = known.distance(to: seen)
      guard distance <= 0.85 else { return nil }
      cost += (distance - cost) * min(max(options.appearanceWeight, 0), 1) / 2
    }
    return cost + categoryCost(track, candidate)
  }

  /// How unlikely it is that an observation is an object that was lost, or that moved in a way
  /// nobody expected.
  private func reidentification(_ track: Track, _ candidate: Candidate) -> Double? {
    let box = track.motion.box
    let ratio = min(
      box.sizeRatio(to: candidate.box), track.lastBox.sizeRatio(to: candidate.box))
    guard ratio <= Self.largestSizeRatio else { return nil }
    guard let known = track.appearance, let seen = candidate.appearance else {
      let isNear = track.motion.surprise(at: candidate.box) <= MotionFilter.largestSurprise
      let isLikely = isNear && box.overlap(with: candidate.box) > 0.1
      return isLikely ? box.disagreement(with: candidate.box) : nil
    }
    let look = known.distance(to: seen)
    let reach = box.scale * (1.5 + 0.5 * Double(track.age))
    let way = min(
      box.centerDistance(to: candidate.box), track.lastBox.centerDistance(to: candidate.box))
    guard look <= options.reidentificationDistance, way <= reach else { return nil }
    return look + 0.25 * way / reach + categoryCost(track, candidate)
  }

  /// Whether a free candidate may be an object that is missing, though it does not look like it:
  /// half hidden, perhaps.
  func mayBeMissing(_ candidate: Int) -> Bool {
    let box = candidates[candidate].box
    return tracks.indices.contains { place in
      let track = tracks[place]
      guard track.id != nil, candidateOfTrack[place] == nil else { return false }
      return track.motion.surprise(at: box) <= MotionFilter.largestSurprise
        || track.lastBox.centerDistance(to: box) <= 1.5 * track.lastBox.scale
    }
  }

  private func categoryCost(_ track: Track, _ candidate: Candidate) -> Double {
    guard let known = track.categoryIndex, let seen = candidate.categoryIndex else { return 0 }
    return known == seen ? 0 : 0.15
  }

  /// From here on a pair is worse than none.
  private static let largestCost = 0.7
  private static let largestSizeRatio = 2.5
}

extension Track {
  /// Whether it has been missing for so long that its place is uncertain.
  fileprivate var isLost: Bool { missCount > 2 }
}
