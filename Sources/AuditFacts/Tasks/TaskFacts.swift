// SPDX-License-Identifier: Apache-2.0

package import Imaging
package import ModelChecks
package import ModelTasks

/// What a model's task says of an image, a sound or a text, as a page shows it.
package struct TaskFacts: Sendable {
  /// Rows with a heading.
  package struct Table: Sendable {
    package let caption: String
    /// The names of the columns, and which hold numbers.
    package let columns: [(name: String, isNumber: Bool)]
    package let rows: [[String]]
  }

  /// A class, and its score in each window of a sound.
  package struct Curve: Sendable {
    package let name: String
    package let scores: [Double]
  }

  /// The task.
  package let task: ModelTask
  /// What the model takes.
  package let subject: TaskFit.Subject
  /// The name of the file, or the text.
  package let name: String
  /// What was taken, for a list of facts.
  package var input: [(name: String, value: String)] = []
  /// Images with what was found drawn into them.
  package var images: [(image: PixelBuffer, caption: String)] = []
  /// When windows of a sound begin, or steps of a stream end, in milliseconds.
  package var times: [Int] = []
  /// The classes with the best scores over all windows.
  package var curves: [Curve] = []
  /// What curves show, and where their points stand.
  package var curveCaption = "The best classes over time; a point stands where its window begins"
  /// What was found.
  package var tables: [Table] = []

  init(_ task: ModelTask, _ subject: TaskFit.Subject, of name: String) {
    self.task = task
    self.subject = subject
    self.name = name
  }

  /// Rows beyond these are not shown: more than the 478 points of a face.
  static let rowLimit = 512

  /// Adds rows, of which the first count.
  mutating func add(
    _ caption: String, _ columns: [(name: String, isNumber: Bool)], _ rows: [[String]]
  ) {
    let cut = rows.count > Self.rowLimit ? ", the first \(Self.rowLimit) of \(rows.count)" : ""
    tables.append(
      Table(caption: caption + cut, columns: columns, rows: Array(rows.prefix(Self.rowLimit))))
  }
}

extension PixelBuffer {
  /// The longest side of an image that a page shows.
  private static let shownSide = 640

  /// Pixels of the image for one of those that a page shows.
  var shrinkOnPage: Double { max(1, Double(max(width, height)) / Double(Self.shownSide)) }

  /// The image, no larger than a page needs.
  func shownOnPage() throws(ImagingError) -> PixelBuffer {
    let shrink = shrinkOnPage
    guard shrink > 1 else { return self }
    return try fitted(
      toWidth: max(1, Int(Double(width) / shrink)), height: max(1, Int(Double(height) / shrink)),
      mode: .stretch, filter: .antialiasedBilinear
    ).image
  }
}
