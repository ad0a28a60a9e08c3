// SPDX-License-Identifier: Apache-2.0

/// A task that models are made for; the raw value is the word of command lines and documents.
public enum ModelTask: String, CaseIterable, Sendable {
  /// The classes of an image.
  case label
  /// Things in an image.
  case detect
  /// The category of each pixel.
  case segment
  /// Faces and their points.
  case faces
  /// Hands, their points and gestures.
  case hands
  /// People and their points.
  case pose
  /// An image made of an image.
  case transform
  /// How far things in an image are.
  case depth
  /// A vector of an image, a sound or a text.
  case embed
  /// What is heard in a sound.
  case listen
  /// What a text is about.
  case read
  /// What in a text answers a question.
  case answer

  /// The subcommand that runs the task, with the option that it needs.
  public var command: String {
    switch self {
    case .depth: "transform --depth"
    case .answer: "read --question"
    case _: rawValue
    }
  }

  /// What a model of the task gives, in a few words.
  public var summary: String {
    switch self {
    case .label: "classes of an image"
    case .detect: "things in an image"
    case .segment: "the category of each pixel"
    case .faces: "faces and their points"
    case .hands: "hands and their points"
    case .pose: "people and their points"
    case .transform: "an image made of an image"
    case .depth: "how far things in an image are"
    case .embed: "vectors that are alike for what is alike"
    case .listen: "what is heard in a sound"
    case .read: "what a text is about"
    case .answer: "what in a text answers a question"
    }
  }
}
