// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import JSONDocuments

/// Raw samples that are heard as they come, for as long as they come.
struct SoundStream {
  /// The option that asks for it.
  static let option = OptionDescription.flag(
    "stream",
    "Tell what is heard window by window as the samples of --raw come; - is standard input.")

  private let samples: RawSamples
  private let path: String
  /// As many bytes as are read at once, if they are there.
  private static let pieceByteCount = 1 << 16

  /// The stream that the arguments ask for; nil where they name sounds as a whole.
  ///
  /// - Throws: `CommandError.usage` where the options mean nothing together.
  init?(_ arguments: ParsedArguments, sounds: [String]) throws(CommandError) {
    guard arguments.flag(Self.option.name) else { return nil }
    guard let samples = try SoundFiles.rawSamples(arguments) else {
      throw arguments.usage(
        "--stream without --raw",
        hint: "ffmpeg … -f s16le -ac 1 -ar 16000 - | martlet … --stream --raw s16le --rate 16000")
    }
    guard sounds.count == 1, let path = sounds.first else {
      throw arguments.usage(
        "--stream beside \(sounds.count) sounds, wanted one stream", hint: "- is standard input")
    }
    self.samples = samples
    self.path = path
  }

  /// Reads the stream to its end, and gives each piece of whole frames to `take`.
  ///
  /// - Returns: success, or the code of the signal that ended the stream.
  /// - Throws: `CommandError` where the stream cannot be read, ends inside a frame, or where `take`
  ///   throws.
  private func read(
    _ console: any Console, _ take: (AudioClip) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitCode {
    let stream = try ByteStream(path, console)
    let frame = samples.encoding.byteCount * samples.channelCount
    var (waiting, count) = ([UInt8](), 0)
    while let piece = try stream.next(Self.pieceByteCount) {
      guard !piece.isEmpty else {
        guard waiting.isEmpty else {
          throw .data(
            "the stream ends inside frame \(count), after \(waiting.count) of \(frame) bytes",
            location: stream.location)
        }
        return .success
      }
      waiting += piece
      let whole = waiting.count / frame * frame
      guard whole > 0 else { continue }
      let clip: AudioClip
      do throws(AudioFileError) {
        clip = try samples.decode(Array(waiting[..<whole]), limits: console.limits)
      } catch {
        throw CommandError(error, file: stream.location)
      }
      waiting.removeFirst(whole)
      count += clip.frameCount
      try take(clip)
    }
    return stream.signal?.exitCode ?? .success
  }

  /// Prints what is heard as it is heard: lines for a reader, lines of a table, or a JSON document a
  /// line.
  ///
  /// - Parameters:
  ///   - listener: what hears.
  ///   - form: how it is told.
  ///   - setup: the model and where it is told.
  /// - Returns: success, or the code of the signal that ended the stream.
  /// - Throws: `CommandError` where the stream breaks off or the model fails.
  func run(
    _ listener: SoundListener, _ form: OutputForm, _ setup: TaskSetup
  ) throws(CommandError) -> ExitCode {
    let console = setup.console
    switch form {
    case .text: try console.print((setup.heading + [path]).joined(separator: "\n"))
    case .csv: try console.print(CSVTable(listener.columns).text)
    case .json: break
    }
    func heard(
      _ hear: () throws(AudioTaskError) -> [HeardSound]
    ) throws(CommandError) {
      let sounds: [HeardSound]
      do throws(AudioTaskError) { sounds = try hear() } catch {
        throw CommandError(error, model: setup.model, sound: path)
      }
      for sound in sounds { try sound.print(form, console) }
    }
    let code = try read(console) { clip throws(CommandError) in
      try heard { () throws(AudioTaskError) in try listener.process(clip) }
    }
    try heard(listener.finish)
    return code
  }
}

extension HeardSound {
  /// Prints what is heard, if there is something to tell.
  fileprivate func print(_ form: OutputForm, _ console: any Console) throws(CommandError) {
    switch form {
    case .text where lines.isEmpty: break
    case .text: try console.print(lines.joined(separator: "\n"))
    case .csv: for row in rows { try console.print(CSVTable.line(row)) }
    case .json:
      // Its strings are escaped.
      if let document { try console.printData(Array((document.compactText + "\n").utf8)) }
    }
  }
}
