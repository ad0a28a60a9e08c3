// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import ResourceLimits

/// Sounds as arguments.
enum SoundFiles {
  /// The endings of the names of sounds.
  static let extensions = ["wav", "wave", "rf64"]

  /// The options of sounds without a header, and of models that do not say what they take.
  static let descriptions: [OptionDescription] = [
    .value(
      "raw", "encoding",
      "The sounds are samples without a header: s16le, s16be, s24le, s32le, f32le, f64le, u8, alaw or mulaw."
    ),
    .value("rate", "hz", "The samples per second of --raw."),
    .value("channels", "n", "The channels of --raw.", defaultValue: "1"),
    .value("model-rate", "hz", "The samples per second that the model takes, instead of its own."),
    .value(
      "scale", "x", "What samples from -1 to 1 are multiplied by; 32768 for some models.",
      defaultValue: "1"),
    .value("window", "samples", "The samples of a window, for models that take any number."),
    .value("hop", "samples", "From the beginning of a window to the next; by default, a window."),
  ]

  private static let encodings: [String: (SampleEncoding, ByteOrder)] = [
    "u8": (.integer(byteCount: 1), .littleEndian), "s16le": (.integer(byteCount: 2), .littleEndian),
    "s16be": (.integer(byteCount: 2), .bigEndian), "s24le": (.integer(byteCount: 3), .littleEndian),
    "s32le": (.integer(byteCount: 4), .littleEndian),
    "f32le": (.float(byteCount: 4), .littleEndian),
    "f64le": (.float(byteCount: 8), .littleEndian), "alaw": (.aLaw, .littleEndian),
    "mulaw": (.muLaw, .littleEndian),
  ]

  /// What makes clips of the bytes of files.
  static func decoder(
    _ arguments: ParsedArguments, _ limits: Limits
  ) throws(CommandError) -> ([UInt8], String) throws(CommandError) -> AudioClip {
    guard let samples = try rawSamples(arguments) else {
      return { bytes, path throws(CommandError) in
        do throws(AudioFileError) { return try WAV.decode(bytes, limits: limits) } catch {
          throw CommandError(error, file: path)
        }
      }
    }
    return { bytes, path throws(CommandError) in
      do throws(AudioFileError) { return try samples.decode(bytes, limits: limits) } catch {
        throw CommandError(error, file: path)
      }
    }
  }

  /// How samples without a header are stored; nil of sounds with one.
  static func rawSamples(_ arguments: ParsedArguments) throws(CommandError) -> RawSamples? {
    guard let word = arguments.value("raw") else {
      guard arguments.value("rate") == nil else {
        throw arguments.usage("--rate without --raw: WAV files say theirs")
      }
      return nil
    }
    guard let (encoding, order) = encodings[word] else {
      throw arguments.usage(
        "'\(word)' for '--raw', wanted \(encodings.keys.sorted().joined(separator: ", "))")
    }
    guard let rate = try arguments.integer("rate", in: 1...1_000_000) else {
      throw arguments.usage("--raw without --rate")
    }
    return RawSamples(
      encoding, order: order,
      channelCount: try arguments.integer("channels", default: 1, in: 1...1024),
      sampleRate: rate)
  }

  /// What the options say of the model's input.
  static func input(_ arguments: ParsedArguments) throws(CommandError) -> AudioInput.Options {
    var options = AudioInput.Options()
    options.sampleRate = try arguments.integer("model-rate", in: 1...1_000_000)
    options.windowFrameCount = try arguments.integer("window", in: 1...1 << 28)
    if let scale = try arguments.number("scale") { options.scale = Float(scale) }
    return options
  }
}

extension CommandError {
  /// A sound's error as a command's.
  init(_ error: AudioFileError, file: String) {
    self = .data("\(error.reason)", location: "\(file), byte \(error.offset)")
  }

  /// An audio task's error as a command's.
  init(_ error: AudioTaskError, model: String, sound: String? = nil) {
    switch error {
    case .task(let error): self.init(error, model: model, subject: sound)
    case .audio(let error): self = .data("\(error)", location: sound ?? model)
    }
  }
}
