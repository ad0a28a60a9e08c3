// SPDX-License-Identifier: Apache-2.0

extension PixelColor {
  /// The color of a number from 0, dark blue, over green and yellow to 1, dark red.
  ///
  /// Polynomials of the fifth degree for the color map Turbo ("Turbo, An Improved Rainbow Colormap
  /// for Visualization", Mikhailov, 2019). Neighboring numbers have neighboring colors of about
  /// equal steps in lightness on either side of the middle.
  ///
  /// - Parameter value: The number; others are moved to 0 and 1, and NaN to 0.
  /// - Returns: An opaque color.
  public static func turbo(_ value: Float) -> PixelColor {
    let x = value.isNaN ? 0 : min(max(value, 0), 1)
    func channel(_ factors: [Float]) -> UInt8 {
      let sum = factors.reversed().reduce(0) { $0 * x + $1 }
      return UInt8(min(max(sum, 0), 1) * 255 + 0.5)
    }
    return PixelColor(
      red: channel([0.1357, 4.6154, -42.6603, 132.1311, -152.9424, 59.2864]),
      green: channel([0.0914, 2.1942, 4.8430, -14.1850, 4.2773, 2.8296]),
      blue: channel([0.1067, 12.6419, -60.5820, 110.3628, -89.9031, 27.3482]))
  }
}

extension PixelBuffer {
  /// The image with the color of `PixelColor.turbo(_:)` for each grey: `rgb8`.
  public var coloredByTurbo: PixelBuffer {
    let table = (0..<256).map { PixelColor.turbo(Float($0) / 255) }
    var colored = [UInt8](repeating: 0, count: 3 * width * height)
    var target = colored.mutableSpan
    for (pixel, byte) in converted(to: .grey8).bytes.enumerated() {
      let color = table[Int(byte)]
      target[3 * pixel] = color.red
      target[3 * pixel + 1] = color.green
      target[3 * pixel + 2] = color.blue
    }
    return PixelBuffer(checkedWidth: width, height: height, format: .rgb8, bytes: colored)
  }
}
