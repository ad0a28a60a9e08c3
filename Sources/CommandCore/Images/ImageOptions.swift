// SPDX-License-Identifier: Apache-2.0

package import Imaging
package import ImageInputs

/// The options that say how images become a model's input, which several commands share.
package struct ImageOptions {
  package let preprocessing: Preprocessing
  /// The names of the options that were given.
  package let given: Set<String>

  /// `--mean`, `--std`, `--channel-order`, `--fit` and `--filter`.
  package static let descriptions: [OptionDescription] = [
    .value(
      "mean", "m[,m,m]",
      "What is subtracted from an image's bytes, for all channels or each, instead of what the "
        + "model's metadata says."),
    .value(
      "std", "s[,s,s]",
      "What the rest is divided by. Without metadata, --mean alone divides by 1, and --std alone "
        + "subtracts nothing."),
    .choice(
      "channel-order", Preprocessing.ChannelOrder.allCases.map(\.rawValue),
      "The order of the model's channels.", defaultValue: "rgb"),
    .choice(
      "fit", ["stretch", "crop", "letterbox"], "What to do about other proportions.",
      defaultValue: "stretch"),
    .choice(
      "filter", ResizeFilter.words,
      "How images are resized; libyuv is bilinear with the rounding of ML Kit's library; warp is "
        + "MediaPipe's.",
      defaultValue: "bilinear"),
  ]

  package init(_ arguments: ParsedArguments) throws(CommandError) {
    given = Set(Self.descriptions.map(\.name).filter { arguments.value($0) != nil })
    var preprocessing = Preprocessing()
    if let word = arguments.value("channel-order"),
      let order = Preprocessing.ChannelOrder(rawValue: word)
    {
      preprocessing.channelOrder = order
    }
    if let word = arguments.value("fit") { preprocessing.fit = FitMode(word) }
    if let word = arguments.value("filter") { preprocessing.filter = ResizeFilter(word) }
    if let (means, deviations) = try arguments.normalization() {
      let normalization: Normalization
      do throws(ImagingError) {
        normalization = try Normalization(mean: means, standardDeviation: deviations)
      } catch {
        throw arguments.usage("--mean and --std: \(error)")
      }
      let count = deviations.count
      guard count == 1 || count == 3 else {
        throw arguments.usage("--mean and --std have 1 or 3 numbers, not \(count)")
      }
      // One of the two leaves the other as the model has it.
      switch (given.contains("mean"), given.contains("std")) {
      case (true, false): preprocessing.partialNormalization = .mean(means)
      case (false, true): preprocessing.partialNormalization = .standardDeviation(deviations)
      case _: preprocessing.normalization = normalization
      }
    }
    self.preprocessing = preprocessing
  }
}

extension ParsedArguments {
  /// What `--mean` and `--std` give, with 0 and 1 for the one that is missing; nil without both.
  package func normalization() throws(CommandError) -> (means: [Float], deviations: [Float])? {
    let (means, deviations) = (try numbers("mean"), try numbers("std"))
    guard let count = (deviations ?? means)?.count else { return nil }
    return (
      means ?? Array(repeating: 0, count: count), deviations ?? Array(repeating: 1, count: count)
    )
  }

  /// An option's value as real numbers separated by commas; nil where it was not given.
  package func numbers(_ name: String) throws(CommandError) -> [Float]? {
    guard let text = value(name) else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Float($0) }
    var result: [Float] = []
    for number in numbers {
      guard let number, number.isFinite else {
        throw usage("'\(text)' for '--\(name)', wanted numbers separated by commas")
      }
      result.append(number)
    }
    return result
  }
}

extension FitMode {
  /// What a word of the command line means; stretched without one.
  package init(_ word: String?) {
    self =
      switch word {
      case "crop": .centerCrop
      case "letterbox": .letterbox(fill: .black)
      case _: .stretch
      }
  }

  /// The word of the command line.
  package var word: String {
    switch self {
    case .stretch: "stretch"
    case .centerCrop: "crop"
    case .letterbox: "letterbox"
    }
  }
}

extension ResizeFilter {
  /// The words of the command line.
  package static let words = ["bilinear", "nearest", "antialiased", "libyuv", "warp"]

  /// What a word of the command line means; bilinear without one.
  package init(_ word: String?) {
    self =
      switch word {
      case "nearest": .nearest
      case "antialiased": .antialiasedBilinear
      case "libyuv": .libyuvBilinear
      case "warp": .cornerBilinear
      case _: .bilinear
      }
  }

  /// The word of the command line.
  package var word: String {
    switch self {
    case .nearest: "nearest"
    case .bilinear: "bilinear"
    case .antialiasedBilinear: "antialiased"
    case .libyuvBilinear: "libyuv"
    case .cornerBilinear: "warp"
    }
  }
}
