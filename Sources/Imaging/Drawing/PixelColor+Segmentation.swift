// SPDX-License-Identifier: Apache-2.0

extension PixelColor {
  /// The color of a category in images of masks: that of PASCAL VOC.
  ///
  /// The three lowest bits of the index are the highest bits of red, green and blue, the next three
  /// the second highest, and so on: 0 is black, 1 is (128, 0, 0), 8 is (64, 0, 0), 255 is
  /// (224, 224, 192). The task library gives its colored labels the same colors
  /// (`cc/task/vision/image_segmenter.cc`).
  ///
  /// - Parameter category: The category; the colors repeat after 256.
  /// - Returns: An opaque color.
  public static func segmentation(_ category: Int) -> PixelColor {
    var rest = UInt8(truncatingIfNeeded: category)
    var color = PixelColor.black
    var bit: UInt8 = 128
    while rest != 0 {
      if rest & 1 != 0 { color.red |= bit }
      if rest & 2 != 0 { color.green |= bit }
      if rest & 4 != 0 { color.blue |= bit }
      rest >>= 3
      bit >>= 1
    }
    return color
  }
}
