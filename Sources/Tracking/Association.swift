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
  /// How different each track and each candidate look; nil where one of them has no look.
  private let looks: [[Double?]]

  /// The best matches.
  ///
  /// 1. Objects seen lately take confident observations, by position and look.
  /// 2. Those left over take doubtful observations, by position alone.
  /// 3. Objects without an observation, and those lost for some time, take confident ones that
  ///    look like them.
  /// 4. Objects that have no ID yet take what is left.
  init(_ tracks: [Track], _ candidates: [Candidate], options: ObjectTracker.Options) {
    self.tracks = tracks
    self.candidates = candidates
    self.options = options
    looks = tracks.map { track in
      candidates.map { candidate in
        track.appearance.flatMap { known in candidate.appearance.map { known.distance(to: $0) } }
      }
    }
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
    _ tracks: [Int], confident: Bool, singleCost: Double, cost: (Int, Int) -> Double?
  ) {
    let rows = tracks.filter { candidateOfTrack[$0] == nil }
    let columns = freeCandidates.sorted().filter {
      (candidates[$0].score >= options.confidentScore) == confident
    }
    guard !rows.isEmpty, !columns.isEmpty else { return }
    let costs = rows.map { row in
      columns.map { cost(row, $0) }
    }
    for (row, column) in zip(rows, Assignment(costs: costs, singleCost: singleCost).columns) {
      guard let column else { continue }
      candidateOfTrack[row] = columns[column]
      freeCandidates.remove(columns[column])
    }
  }

  /// How unlikely it is that an observation continues a track that was seen lately.
  private func continuation(_ row: Int, _ column: Int) -> Double? {
    let (track, candidate) = (tracks[row], candidates[column])
    let box = track.motion.box
    let overlap = box.overlap(with: candidate.box)
    if overlap < 0.3 {
      guard track.motion.surprise(at: candidate.box) <= MotionFilter.largestSurprise,
        box.sizeRatio(to: candidate.box) <= Self.largestSizeRatio
      else { return nil }
    }
    var cost = box.disagreement(with: candidate.box)
    if let distance = looks[row][column] {
      guard distance <= 0.75 || overlap >= 0.5, !hasRival(row, column) else { return nil }
      cost += (distance - cost) * min(max(options.appearanceWeight, 0), 1)
    }
    return cost + categoryCost(track, candidate)
  }

  /// The same for an observation that the detector doubts: only where it clearly overlaps.
  private func doubtfulContinuation(_ row: Int, _ column: Int) -> Double? {
    let (track, candidate) = (tracks[row], candidates[column])
    let box = track.motion.box
    guard box.overlap(with: candidate.box) >= 0.4 else { return nil }
    var cost = box.disagreement(with: candidate.box)
    if let distance = looks[row][column] {
      // What hides the object changes its look, but seldom altogether.
      guard distance <= 0.85, !hasRival(row, column) else { return nil }
      cost += (distance - cost) * min(max(options.appearanceWeight, 0), 1) / 2
    }
    return cost + categoryCost(track, candidate)
  }

  /// How unlikely it is that an observation is an object that was lost, or that moved in a way
  /// nobody expected.
  private func reidentification(_ row: Int, _ column: Int) -> Double? {
    let (track, candidate) = (tracks[row], candidates[column])
    let box = track.motion.box
    let ratio = min(
      box.sizeRatio(to: candidate.box), track.lastBox.sizeRatio(to: candidate.box))
    guard ratio <= Self.largestSizeRatio else { return nil }
    guard let look = looks[row][column] else {
      let isNear = track.motion.surprise(at: candidate.box) <= MotionFilter.largestSurprise
      let isLikely = isNear && box.overlap(with: candidate.box) > 0.1
      return isLikely ? box.disagreement(with: candidate.box) : nil
    }
    let detour = track.detour(to: candidate.box)
    // The farther from where it should be, the surer its look must be.
    let limit = options.reidentificationDistance * (1 - 0.5 * detour)
    guard detour <= 1, look <= limit else { return nil }
    return look + 0.25 * detour + categoryCost(track, candidate)
  }

  /// Whether a candidate looks much more like a lost object that may be there again.
  private func hasRival(_ row: Int, _ column: Int) -> Bool {
    guard let look = looks[row][column] else { return false }
    return tracks.indices.contains { other in
      guard other != row, tracks[other].id != nil, tracks[other].isLost,
        let otherLook = looks[other][column],
        otherLook <= options.reidentificationDistance, otherLook + 0.2 < look
      else { return false }
      return tracks[other].detour(to: candidates[column].box) <= 1
    }
  }

  /// Whether a free candidate may be an object that is missing, though it does not look like it:
  /// half hidden, perhaps.
  func mayBeMissing(_ candidate: Int) -> Bool {
    let box = candidates[candidate].box
    return tracks.indices.contains { location in
      let track = tracks[location]
      guard track.id != nil, candidateOfTrack[location] == nil else { return false }
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
  /// How far a position is from where the object is expected or was last, as a part of the way that
  /// it may have gone.
  fileprivate func detour(to other: ImageRect) -> Double {
    let reach = motion.box.scale * (1.5 + 0.35 * Double(age))
    return min(motion.box.centerDistance(to: other), lastBox.centerDistance(to: other)) / reach
  }
}
