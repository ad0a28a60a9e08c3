// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Formatting
import Imaging
import JSONDocuments

extension TaskRun {
  /// Asks about images, or about the frames of a stream, and prints the answers.
  ///
  /// Answers to frames are printed as they come: a JSON document a line, lines of a table, or lines
  /// for a reader. Of frames, each that fails is told, and the others go on.
  ///
  /// - Parameters:
  ///   - images: the paths of the images.
  ///   - frames: the stream; nil for images.
  ///   - option: what names the file or folder of the answers' images; - writes those of frames to
  ///     standard output, as raw frames.
  ///   - arguments: the arguments of the command.
  /// - Returns: success, or failure where one of several images or frames fails; the code of the
  ///   signal that ended a stream.
  /// - Throws: `CommandError` where the only image fails, a stream breaks off, nothing can be
  ///   written, and for options that mean nothing.
  package func run(
    _ images: [String], _ frames: FrameInput?, writing option: String = AnnotationOutput.option,
    _ arguments: ParsedArguments
  ) throws(CommandError) -> ExitCode {
    var run = self
    let path = arguments.value(option)
    guard let frames else {
      run.annotation = try path.map { path throws(CommandError) in
        try AnnotationOutput(path, imageCount: images.count, arguments)
      }
      return try run.run(files: images)
    }
    guard task.subject == .image else {
      throw arguments.usage("--frames of a model that takes \(task.subject.rawValue)s")
    }
    let writesFrames = path == "-"
    if writesFrames {
      guard form == .text || frames.answers != nil else {
        throw arguments.usage(
          "answers beside --\(option) -, which both print on standard output",
          hint: "--answers FILE writes them into a file")
      }
    } else {
      run.annotation = try path.map { path throws(CommandError) in
        try AnnotationOutput(path, imageCount: nil, arguments)
      }
    }
    return try run.run(frames, writesFrames ? RawFrames(console) : nil)
  }

  private func run(
    _ frames: FrameInput, _ drawings: RawFrames?
  ) throws(CommandError) -> ExitCode {
    var (reader, drawings) = (try frames.reader(console), drawings)
    let say = try sink(frames, isQuiet: drawings != nil)
    switch form {
    case .text: try say(heading.joined(separator: "\n"))
    case .csv: try say(CSVTable(["frame"] + task.columns).text)
    case .json: break
    }
    var hasFailed = false
    while let bytes = try reader.next() {
      let number = reader.count - 1
      let seconds = Double(number) / frames.framesPerSecond
      var outcome = Outcome(name: "frame \(number) at \(seconds.fixed(3)) s")
      let image: PixelBuffer
      do throws(ImagingError) { image = try frames.format.image(bytes) } catch {
        throw .data("\(error)", location: "frame \(number)")
      }
      do throws(CommandError) {
        outcome.answer = try ask(.image(image, .up), "frame \(number)")
      } catch {
        outcome.diagnostic = noted(error)
        hasFailed = true
      }
      if let annotation, let drawn = outcome.answer?.image {
        outcome.annotated = try annotation.write(
          drawn, of: "frame \(number)", number: number, console)
      }
      if let drawn = outcome.answer?.image {
        try drawings?.write(drawn, number: number)
      } else {
        try drawings?.fill(image, number: number)
      }
      try tell(outcome, number, seconds, say)
    }
    finish()
    return hasFailed ? .failure : reader.signal?.exitCode ?? .success
  }

  /// Prints what was found in a frame.
  private func tell(
    _ outcome: Outcome, _ number: Int, _ seconds: Double,
    _ say: (String) throws(CommandError) -> Void
  ) throws(CommandError) {
    switch form {
    case .text:
      guard outcome.answer != nil else { return }
      try say(lines(outcome).joined(separator: "\n"))
    case .csv:
      for row in outcome.answer?.rows ?? [] { try say(CSVTable.line(["\(number)"] + row)) }
    case .json:
      let milliseconds = (seconds * 1_000_000).rounded() / 1000
      let document = JSON.record([
        "frame": .integer(number), "milliseconds": .number(milliseconds),
      ]).adding(members(of: outcome))
      try say(document.compactText)
    }
  }

  /// Where answers go: a file, standard output, or nowhere.
  private func sink(
    _ frames: FrameInput, isQuiet: Bool
  ) throws(CommandError) -> (String) throws(CommandError) -> Void {
    if let path = frames.answers {
      do throws(FileSystemError) {
        let file = try AppendedFile(at: path)
        return { text throws(CommandError) in
          do throws(FileSystemError) { try file.append(Array((text + "\n").utf8)) } catch {
            throw .file(error)
          }
        }
      } catch {
        throw .file(error)
      }
    }
    if isQuiet { return { (_: String) throws(CommandError) in } }
    let console = console
    guard form == .json else {
      return { text throws(CommandError) in try console.print(text) }
    }
    // Its strings are escaped.
    return { text throws(CommandError) in try console.printData(Array((text + "\n").utf8)) }
  }
}

/// Images as raw frames on standard output, all of the size of the first.
private struct RawFrames {
  private let console: any Console
  private var first: PixelBuffer?

  init(_ console: any Console) { self.console = console }

  /// Writes an image: red, green, blue, and alpha where the first image has it.
  mutating func write(_ image: PixelBuffer, number: Int) throws(CommandError) {
    if first == nil {
      let size = "\(image.width)x\(image.height)"
      console.note("frames of \(size) \(image.format == .rgba8 ? "rgba" : "rgb24")\n")
    }
    let first = first ?? image
    self.first = first
    guard image.width == first.width, image.height == first.height else {
      throw .data(
        "an image of \(image.width) x \(image.height) behind one of "
          + "\(first.width) x \(first.height)", location: "frame \(number)")
    }
    try console.printData(image.converted(to: first.format == .rgba8 ? .rgba8 : .rgb8).bytes)
  }

  /// Writes a frame of which nothing is known, where it has the size of the others.
  mutating func fill(_ image: PixelBuffer, number: Int) throws(CommandError) {
    guard let first, image.width == first.width, image.height == first.height else { return }
    try write(image, number: number)
  }
}
