// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// How images become a model's input, where its metadata is not to decide.
public struct Preprocessing: Sendable, Hashable {
  /// The order of an input's channels.
  public enum ChannelOrder: String, Sendable, Hashable, CaseIterable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red, as models have it that were trained with OpenCV or Caffe.
    case bgr
  }

  /// What replaces the model's own normalization; uint8 inputs take none.
  ///
  /// Of three means and deviations, the first are those of the input's first channel.
  public var normalization: Normalization?
  /// One half of a normalization, which replaces that of the model's own; without one of its own,
  /// means are 0 and deviations 1.
  package var partialNormalization: PartialNormalization?
  /// What is taken where neither the model's metadata nor an option tells the normalization.
  package var usualNormalization: Normalization?
  /// The order of the input's channels.
  public var channelOrder: ChannelOrder = .rgb
  /// How images of other proportions are made to fit.
  ///
  /// Stretched where nothing is set, but for models with the notes of Ultralytics: those are asked
  /// as their own program asks them, see `ImageInput`.
  public var fit: FitMode {
    get { givenFit ?? usualResizing?.fit ?? .stretch }
    set { givenFit = newValue }
  }
  /// How images are resized; bilinear where nothing is set, see `fit`.
  public var filter: ResizeFilter {
    get { givenFilter ?? usualResizing?.filter ?? .bilinear }
    set { givenFilter = newValue }
  }
  /// How images are resized where options do not tell it.
  package var usualResizing: UsualResizing?
  private var givenFit: FitMode?
  private var givenFilter: ResizeFilter?

  /// The model's own normalization; red, green, blue; stretched bilinearly.
  public init() {}

  /// Whether a normalization is given, or a part of one.
  package var givesNormalization: Bool { normalization != nil || partialNormalization != nil }

  /// How padded sides are rounded to pixels.
  package var rounding: FloatingPointRoundingRule {
    takesUsualFit ? usualResizing?.rounding ?? .toNearestOrAwayFromZero : .toNearestOrAwayFromZero
  }

  /// Whether the maker of the model, rather than an option, tells how images are made to fit.
  package var takesUsualFit: Bool { givenFit == nil && usualResizing != nil }

  /// Whether the maker of the model, rather than an option, tells how images are resized.
  package var takesUsualFilter: Bool { givenFilter == nil && usualResizing != nil }
}
