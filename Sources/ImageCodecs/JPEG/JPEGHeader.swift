// SPDX-License-Identifier: Apache-2.0

/// How the coefficients of a JPEG file are coded.
public enum JPEGProcess: Sendable, Hashable, CaseIterable {
  /// Each block at once, with two sets of tables at most.
  case baseline
  /// Each block at once, with up to four sets of tables.
  case extendedSequential
  /// Each block a few coefficients or bits at a time.
  case progressive
}

/// What the components of a JPEG file are.
public enum JPEGColorModel: Sendable, Hashable, CaseIterable {
  /// One component.
  case grey
  /// Luminance and two color differences.
  case yCbCr
  /// Red, green, blue.
  case rgb
  /// Cyan, magenta, yellow and black, stored inverted.
  case cmyk
  /// Cyan, magenta and yellow as luminance and color differences, and black, stored inverted.
  case ycck

  /// The model of components with these identifiers; nil where their number has none.
  ///
  /// libjpeg's rules: JFIF files are YCbCr, others what Adobe's segment says, others RGB if their
  /// components are called R, G, B.
  init?(identifiers: [UInt8], isJFIF: Bool, adobeTransform: UInt8?) {
    switch identifiers.count {
    case 1: self = .grey
    case 3 where isJFIF: self = .yCbCr
    case 3:
      let namesRGB = adobeTransform == nil && identifiers == Array("RGB".utf8)
      self = adobeTransform == 0 || namesRGB ? .rgb : .yCbCr
    case 4: self = adobeTransform ?? 0 == 0 ? .cmyk : .ycck
    default: return nil
    }
  }
}

/// Size and kind of a JPEG file.
public struct JPEGHeader: Sendable, Hashable {
  /// Columns, 1 or more.
  public let width: Int

  /// Rows, 1 or more.
  public let height: Int

  /// How the coefficients are coded.
  public let process: JPEGProcess

  /// What the components are.
  public let colorModel: JPEGColorModel

  /// The sampling factors of each component, horizontal and vertical: `2x2, 1x1, 1x1` is 4:2:0.
  public let samplingFactors: [SamplingFactors]

  /// The orientation that the file's Exif data gives.
  public let orientation: ImageOrientation?

  /// Samples of a component in the smallest unit of the image.
  public struct SamplingFactors: Sendable, Hashable {
    /// Columns, 1 to 4.
    public let horizontal: Int

    /// Rows, 1 to 4.
    public let vertical: Int
  }

  /// The chroma subsampling in the usual notation, where it has one.
  public var subsampling: String? {
    guard colorModel == .yCbCr || colorModel == .ycck else { return nil }
    let chroma = samplingFactors[1]
    guard samplingFactors[2] == chroma, chroma == SamplingFactors(horizontal: 1, vertical: 1)
    else { return nil }
    return switch (samplingFactors[0].horizontal, samplingFactors[0].vertical) {
    case (1, 1): "4:4:4"
    case (2, 1): "4:2:2"
    case (1, 2): "4:4:0"
    case (2, 2): "4:2:0"
    case (4, 1): "4:1:1"
    case (4, 2): "4:1:0"
    case _: nil
    }
  }
}
