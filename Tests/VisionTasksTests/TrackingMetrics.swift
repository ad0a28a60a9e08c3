// SPDX-License-Identifier: Apache-2.0

import Imaging
import VisionTasks

/// The CLEAR-MOT measures of a tracker (Bernardin and Stiefelhagen 2008).
///
/// In each frame an actor and a tracked object that were a pair before stay one while their boxes
/// overlap by an IoU of 0.5 or more; the others are paired so that the overlap is best.
///
/// - A miss is an actor without an object, a false positive an object without an actor.
/// - An identity switch is an actor whose object has another ID than the last one it had, however
///   long ago.
/// - `MOTA = 1 - (misses + false positives + switches) / actors`, all summed over the frames.
///
/// Actors of which less than 0.3 can be seen count for nothing, nor do objects paired with them.
struct TrackingMetrics {
  private(set) var actorCount = 0
  private(set) var missCount = 0
  private(set) var falseCount = 0
  private(set) var switchCount = 0
  private(set) var lastID: [Int: Int] = [:]

  var accuracy: Double {
    1 - Double(missCount + falseCount + switchCount) / Double(max(actorCount, 1))
  }

  mutating func add(_ truths: [TrackingScene.Truth], _ objects: [TrackedObject]) {
    var free = objects
    let counted = truths.filter(\.counts)
    actorCount += counted.count
    var open: [TrackingScene.Truth] = []
    for truth in counted {
      let kept = free.firstIndex {
        $0.trackingID == lastID[truth.actor] && Self.overlap($0.frame, truth.ideal) >= 0.5
      }
      if let kept { free.remove(at: kept) } else { open.append(truth) }
    }

    let pairs = Self.pairs(open, free)
    for (truth, location) in zip(open, pairs) {
      guard let location else {
        missCount += 1
        continue
      }
      let id = free[location].trackingID
      if let last = lastID[truth.actor], last != id { switchCount += 1 }
      lastID[truth.actor] = id
    }
    free = free.indices.filter { !pairs.contains($0) }.map { free[$0] }
    let uncounted = Self.pairs(truths.filter { !$0.counts }, free).count { $0 != nil }
    falseCount += free.count - uncounted
  }

  private static func pairs(
    _ truths: [TrackingScene.Truth], _ objects: [TrackedObject]
  ) -> [Int?] {
    let costs = truths.map { truth in
      objects.map { object -> Double? in
        let overlap = overlap(truth.ideal, object.frame)
        return overlap >= 0.5 ? 1 - overlap : nil
      }
    }
    return Assignment(costs: costs, singleCost: 10).columns
  }

  private static func overlap(_ one: ImageRect, _ other: ImageRect) -> Double {
    let columns = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    let rows = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    guard columns > 0, rows > 0 else { return 0 }
    let common = columns * rows
    return common / (one.width * one.height + other.width * other.height - common)
  }
}
