// SPDX-License-Identifier: Apache-2.0

/// What the command line says.
struct Arguments {
  /// A folder of PNG files; nil for a film made on the spot.
  private(set) var frames: String?
  /// A detection model; nil for the bundled localizer.
  private(set) var model: String?
  /// Where annotated frames go.
  private(set) var output = "tracked"
  /// The least score at which an object is numbered.
  private(set) var threshold: Float = 0.4
  /// The detector looks at every nth frame.
  private(set) var interval = 1
  /// Whether only one object is followed.
  private(set) var prominent = false

  init(_ words: some Sequence<String>) throws(ArgumentError) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--prominent": prominent = true
      case "--model": model = try Self.value(of: word, words.next())
      case "--output": output = try Self.value(of: word, words.next())
      case "--threshold":
        guard let score = Float(try Self.value(of: word, words.next())), (0...1).contains(score)
        else { throw ArgumentError(description: "--threshold takes a number from 0 to 1") }
        threshold = score
      case "--every":
        guard let number = Int(try Self.value(of: word, words.next())), number >= 1 else {
          throw ArgumentError(description: "--every takes a number from 1")
        }
        interval = number
      default:
        guard !word.hasPrefix("-"), frames == nil else {
          throw ArgumentError(description: "unexpected argument \(word)")
        }
        frames = word
      }
    }
  }

  private static func value(of option: String, _ word: String?) throws(ArgumentError) -> String {
    guard let word else { throw ArgumentError(description: "\(option) takes a value") }
    return word
  }
}

/// What is wrong with the command line.
struct ArgumentError: Error, CustomStringConvertible {
  let description: String
}
