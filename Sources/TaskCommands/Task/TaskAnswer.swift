// SPDX-License-Identifier: Apache-2.0

package import Imaging
package import JSONDocuments
import ModelTasks

/// What a task says of one image, sound or text.
package struct TaskAnswer {
  /// Lines below the subject's name.
  package struct Section {
    /// What stands behind the subject's name; nil for the name alone.
    package var name: String?
    package var lines: [String]

    package init(name: String? = nil, lines: [String]) {
      self.name = name
      self.lines = lines
    }
  }

  /// For a reader.
  package var sections = [Section(lines: [])]
  /// For a program, the members behind the subject's name.
  package var members: JSON = .object([])
  /// Rows of a table, without the subject's name.
  package var rows: [[String?]] = []
  /// The image with what was found drawn into it, or the image that is the answer.
  package var image: PixelBuffer?
  /// The numbers of the categories, where `--mask` asks for them.
  var mask: CategoryMask?
  /// The vector, of the tasks that give one.
  var embedding: Embedding?

  package init() {}

  /// The lines of all sections; setting them makes a single section without a name.
  package var lines: [String] {
    get { sections.flatMap(\.lines) }
    set { sections = [Section(lines: newValue)] }
  }
}
