// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A stream of raw frames that a command looks at instead of images.
package struct FrameInput {
  let format: FrameFormat
  let framesPerSecond: Double
  /// Where answers go instead of standard output.
  let answers: String?
  private let path: String

  /// `--fps`, also of images that follow each other.
  static let rate = OptionDescription.value(
    "fps", "n", "The images in a second of a video.", defaultValue: "30")

  /// The options of a stream.
  package static let descriptions: [OptionDescription] = [
    .value(
      FrameFormat.option, "WxH[:format]",
      "The only image is a stream of raw frames of this size, - for standard input: rgb24, or "
        + FrameFormat.Pixels.allCases.dropFirst().map(\.rawValue).joined(separator: ", ") + "."),
    rate,
    .value(
      "answers", "file", "Append what is said of --frames to this file.", completion: .files([])),
  ]

  /// How many images `--fps` says that a second has.
  static func framesPerSecond(_ arguments: ParsedArguments) throws(CommandError) -> Double {
    let rate = try arguments.number(rate.name) ?? 30
    guard rate > 0.001, rate < 1e6 else {
      throw arguments.usage("'\(rate)' for '--fps', wanted a positive number")
    }
    return rate
  }

  /// The stream that the arguments ask for; nil where they name images.
  ///
  /// - Throws: `CommandError.usage` where the options mean nothing together.
  package init?(
    _ arguments: ParsedArguments, _ console: any Console, images: [String]
  ) throws(CommandError) {
    guard let text = arguments.value(FrameFormat.option) else {
      guard arguments.value("answers") == nil else {
        throw arguments.usage("--answers without --frames")
      }
      guard arguments.value(Self.rate.name) == nil || arguments.flag("video") else {
        throw arguments.usage("--fps without --frames or --video")
      }
      return nil
    }
    guard let format = FrameFormat(text, limits: console.limits) else {
      let words = FrameFormat.Pixels.allCases.map(\.rawValue).joined(separator: ", ")
      throw arguments.usage(
        "'\(text)' for '--frames', wanted WIDTHxHEIGHT or WIDTHxHEIGHT:FORMAT",
        hint: "formats are \(words)")
    }
    guard images.count == 1, let path = images.first else {
      throw arguments.usage(
        "--frames beside \(images.count) images, wanted one stream",
        hint: "- is standard input")
    }
    self.format = format
    self.path = path
    framesPerSecond = try Self.framesPerSecond(arguments)
    answers = arguments.value("answers")
  }

  /// The frames, from the first one.
  func reader(_ console: any Console) throws(CommandError) -> FrameReader {
    FrameReader(try ByteStream(path, console), byteCount: format.byteCount)
  }
}

/// The frames of a stream, one of which is in memory at a time.
struct FrameReader {
  private let stream: ByteStream
  private let byteCount: Int
  /// How many frames there were.
  private(set) var count = 0
  private static let pieceByteCount = 1 << 16

  /// The frames in a stream, each of so many bytes.
  init(_ stream: ByteStream, byteCount: Int) {
    self.stream = stream
    self.byteCount = byteCount
  }

  /// The signal that ended the stream, if one did.
  var signal: TerminationSignal? { stream.signal }

  /// The bytes of the next frame; nil at the end, and once the stream was stopped.
  ///
  /// - Throws: `CommandError` where the stream cannot be read, or ends inside a frame.
  mutating func next() throws(CommandError) -> [UInt8]? {
    var frame: [UInt8] = []
    frame.reserveCapacity(byteCount)
    while frame.count < byteCount {
      guard let piece = try stream.next(min(byteCount - frame.count, Self.pieceByteCount)) else {
        return nil
      }
      guard !piece.isEmpty else {
        guard frame.isEmpty else {
          throw .data(
            "the stream ends inside frame \(count), after \(frame.count) of \(byteCount) bytes",
            location: stream.location)
        }
        return nil
      }
      frame += piece
    }
    count += 1
    return frame
  }
}
