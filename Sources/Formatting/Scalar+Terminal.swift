// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
  /// Whether the character does something to text around it, or to a terminal, instead of being
  /// shown: control characters with escape sequences among them, line separators, and what changes
  /// the direction of text.
  ///
  /// Line breaks and tabs are such characters. Those that only join letters are not.
  package var actsOnText: Bool {
    if value < 0x7F { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator: return true
    case .format: return value != 0x200C && value != 0x200D
    default: return false
    }
  }
}

extension String {
  /// The text as a terminal may get it.
  ///
  /// What comes from a file can neither move the cursor nor turn text around. Line breaks and tabs
  /// stay.
  package var terminalText: String {
    guard unicodeScalars.contains(where: { $0.actsOnText && $0 != "\n" && $0 != "\t" }) else {
      return self
    }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.actsOnText, scalar != "\n", scalar != "\t" {
        text += scalar.escaped(asASCII: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
