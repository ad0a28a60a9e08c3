// SPDX-License-Identifier: Apache-2.0

import VisionTasks

/// Which objects were seen when.
struct Summary {
  private struct Entry {
    let first: Int
    var last: Int
    var count = 0
    var scores: Float = 0
  }

  private var entries: [Int: Entry] = [:]

  mutating func add(_ objects: [DetectedObject], frame: Int) {
    for object in objects {
      guard let id = object.trackingID else { continue }
      var entry = entries[id] ?? Entry(first: frame, last: frame)
      entry.last = frame
      entry.count += 1
      entry.scores += object.score
      entries[id] = entry
    }
  }

  /// A line for each object.
  var table: String {
    let rows = entries.sorted { $0.key < $1.key }.map { id, entry in
      [
        "#\(id)", "\(entry.first)", "\(entry.last)", "\(entry.count)",
        (entry.scores / Float(entry.count)).twoDigits,
      ]
    }
    return ([["object", "first", "last", "frames", "score"]] + rows)
      .map { $0.map { $0.padded(to: 7) }.joined(separator: " ") }.joined(separator: "\n")
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
