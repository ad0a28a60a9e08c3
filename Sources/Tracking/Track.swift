// SPDX-License-Identifier: Apache-2.0

import Imaging

/// What a tracker knows of an object.
struct Track: Sendable {
  /// The tracking ID; nil until the object has been seen often enough.
  var id: Int?
  /// Where it is, and how it moves.
  var motion: MotionFilter
  /// What it looks like when nothing covers it.
  private(set) var appearance: Appearance?
  /// How many looks went into the appearance.
  private var lookCount = 0
  /// The score of the last observation.
  private(set) var score: Float
  /// The category of the last observation that had one.
  private(set) var categoryIndex: Int?
  /// How often it was observed.
  private(set) var hitCount = 1
  /// In how many updates since then it was not observed.
  private(set) var missCount = 0
  /// How many frames ago it was observed.
  private(set) var age = 0
  /// Where it was last observed without doubt.
  private(set) var lastBox: ImageRect
  /// How often it must be observed to get an ID.
  let hitsToConfirm: Int
  /// Its size and speed of late.
  ///
  /// The very latest are those of the part that can be seen, when it passes behind another.
  private(set) var habit: Habit
  /// The position of this update's observation.
  private(set) var observationIndex: Int?

  /// An object seen for the first time.
  init(_ candidate: Candidate, hitsToConfirm: Int) {
    self.hitsToConfirm = hitsToConfirm
    motion = MotionFilter(candidate.box)
    habit = motion.habit
    score = candidate.score
    categoryIndex = candidate.categoryIndex
    lastBox = candidate.box
    observationIndex = candidate.index
    look(at: candidate)
  }

  /// Frames go by.
  mutating func advance(frames: Int, in size: (width: Double, height: Double)?) {
    observationIndex = nil
    for _ in 0..<frames {
      motion.advance(wasSeen: age == 0)
      age += 1
    }
    if let size { motion.keep(insideWidth: size.width, height: size.height) }
  }

  /// It was observed.
  mutating func hit(_ candidate: Candidate, isDoubtful: Bool) {
    if motion.surprise(at: candidate.box) > MotionFilter.largestSurprise {
      // Recognized by its look in a position where it was not expected.
      motion = MotionFilter(candidate.box)
    } else {
      motion.correct(candidate.box, isDoubtful: isDoubtful)
    }
    if !isDoubtful { lastBox = candidate.box }
    score = candidate.score
    categoryIndex = candidate.categoryIndex ?? categoryIndex
    hitCount += 1
    habit.blend(with: motion.habit, by: max(1 / Double(hitCount), 0.1))
    missCount = 0
    age = 0
    observationIndex = candidate.index
    look(at: candidate)
  }

  /// It was not observed.
  mutating func miss() {
    missCount += 1
    if missCount == Self.missesToLose { motion.resume(habit) }
  }

  /// Whether it has been missing for so long that its position is uncertain.
  var isLost: Bool { missCount >= Self.missesToLose }

  private static let missesToLose = 3

  /// Remembers the look of an observation that nothing covers; the first one in any case.
  private mutating func look(at candidate: Candidate) {
    guard let seen = candidate.appearance else { return }
    guard var known = appearance else {
      appearance = seen
      lookCount = candidate.isCrowded ? 0 : 1
      return
    }
    guard !candidate.isCrowded else { return }
    lookCount += 1
    known.blend(with: seen, by: max(1 / Float(lookCount), 0.1))
    appearance = known
  }

  /// How many updates it may be missing.
  func patience(_ options: ObjectTracker.Options) -> Int {
    guard id != nil else { return 1 }
    return min(options.missesToForget, max(2, 2 * hitCount))
  }
}
