// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// Follows objects from frame to frame, so that each keeps one number as long as it is there.
///
/// ```swift
/// var tracker = ObjectTracker()
/// for image in frames {
///   for object in tracker.update(objects: try detector.detect(image), image: image) {
///     print(object.trackingID ?? -1, object.frame)
///   }
/// }
/// ```
///
/// Kalman filters predict where objects have moved. Observations are matched with them by overlap
/// and colors so that the sum of differences is least: confident observations first, then
/// doubtful ones. What matches nothing is a new object. Objects that are hidden for a while, or
/// leave the image and come back, are recognized by their looks near where they may be by then.
///
/// The same calls give the same results. Each `update` or `predict` is one frame, unless told
/// that there were more.
public struct ObjectTracker: Sendable {
  /// How objects are followed.
  public let options: Options

  private var tracks: [Track] = []
  private var nextID = 0
  private var isFirstUpdate = true
  private var imageSize: (width: Double, height: Double)?
  private var focusedID: Int?

  /// A tracker that knows no objects yet.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// Takes in what was found in the next frame.
  ///
  /// - Parameters:
  ///   - observations: What a detector found, in any order. Observations whose box is empty or
  ///     not finite are ignored, as are the lowest scores beyond 100 observations.
  ///   - image: The frame, for the looks of objects; nil where only boxes are known.
  ///   - frames: How many frames the last call lies back; more than 1 after dropped frames.
  /// - Returns: The objects that have tracking IDs, by these: those observed, and with
  ///   `Options.missesToHide` those missing for a moment.
  public mutating func update(
    _ observations: [Observation], image: PixelBuffer? = nil, frames: Int = 1
  ) -> [TrackedObject] {
    if let image { imageSize = (Double(image.width), Double(image.height)) }
    advance(frames)
    let candidates = Candidate.usable(observations, in: image, options: options)
    let association = Association(tracks, candidates, options: options)
    for (location, candidate) in association.candidateOfTrack.enumerated() {
      if let candidate {
        let isDoubtful = candidates[candidate].score < options.confidentScore
        tracks[location].hit(candidates[candidate], isDoubtful: isDoubtful)
      } else {
        tracks[location].miss()
      }
    }
    tracks.removeAll { $0.missCount > $0.patience(options) }
    for location in association.freeCandidates.sorted()
    where candidates[location].score >= options.confidentScore {
      let hits = options.hitsToConfirm + (association.mayBeMissing(location) ? Self.hesitation : 0)
      tracks.append(Track(candidates[location], hitsToConfirm: hits))
    }
    confirm()
    forgetSurplus()
    isFirstUpdate = false
    return report()
  }

  /// Says where the objects are in the next frame, in which nobody has looked for them.
  ///
  /// With a detector that is slower than the frames arrive, this fills the frames between.
  ///
  /// - Parameter frames: How many frames the last call lies back.
  /// - Returns: The objects last reported, at their predicted positions.
  public mutating func predict(frames: Int = 1) -> [TrackedObject] {
    advance(frames)
    return report()
  }

  /// Forgets all objects, as for another scene; their IDs are not used again.
  public mutating func reset() {
    tracks = []
    isFirstUpdate = true
    imageSize = nil
    focusedID = nil
  }

  private mutating func advance(_ frames: Int) {
    let frames = min(max(frames, 1), Self.longestGap)
    for location in tracks.indices { tracks[location].advance(frames: frames, in: imageSize) }
  }

  /// Gives IDs to objects that have been seen often enough.
  private mutating func confirm() {
    for location in tracks.indices where tracks[location].id == nil {
      guard isFirstUpdate || tracks[location].hitCount >= tracks[location].hitsToConfirm else {
        continue
      }
      tracks[location].id = nextID
      nextID += 1
    }
  }

  /// Drops the objects missing for longest where there are too many.
  private mutating func forgetSurplus() {
    let surplus = tracks.count - Self.largestCount
    guard surplus > 0 else { return }
    let order = tracks.indices.sorted {
      let (first, second) = (tracks[$0].missCount, tracks[$1].missCount)
      return first == second ? $0 < $1 : first > second
    }
    let dropped = Set(order.prefix(surplus))
    tracks = tracks.indices.filter { !dropped.contains($0) }.map { tracks[$0] }
  }

  private mutating func report() -> [TrackedObject] {
    switch options.focus {
    case .all: break
    case .prominent: refocus()
    }
    var objects: [TrackedObject] = []
    for track in tracks where track.missCount <= max(options.missesToHide, 0) {
      guard let id = track.id, options.focus == .all || id == focusedID else { continue }
      objects.append(
        TrackedObject(
          trackingID: id, frame: track.motion.box, observationIndex: track.observationIndex,
          score: track.score, categoryIndex: track.categoryIndex, missCount: track.missCount))
    }
    objects.sort { $0.trackingID < $1.trackingID }
    return options.maxObjects.map { Array(objects.prefix(max($0, 0))) } ?? objects
  }

  /// Chooses an object to report, unless the one chosen before is still there.
  private mutating func refocus() {
    if tracks.contains(where: { $0.id == focusedID && $0.missCount <= Self.focusPatience }) {
      return
    }
    var best: (id: Int?, prominence: Double) = (nil, -.infinity)
    for track in tracks where track.missCount == 0 && track.id != nil {
      let prominence = prominence(of: track)
      if prominence > best.prominence { best = (track.id, prominence) }
    }
    focusedID = best.id
  }

  /// As a detector's, where the image is known; else larger and surer objects stand out.
  private func prominence(of track: Track) -> Double {
    let box = track.motion.box
    guard let imageSize else { return Double(track.score) * box.scale }
    return box.prominence(
      score: track.score, inWidth: Int(imageSize.width), height: Int(imageSize.height))
  }

  /// The most observations and objects; matching takes the third power of it.
  static let largestCount = 100
  /// More frames than this between two calls change no prediction any more.
  private static let longestGap = 1000
  /// What may be a missing object gets no ID of its own before it was seen so often again.
  private static let hesitation = 3
  /// So many misses do not change what is prominent.
  private static let focusPatience = 5
}
