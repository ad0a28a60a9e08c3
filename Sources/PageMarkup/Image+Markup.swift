// SPDX-License-Identifier: Apache-2.0

internal import Formatting
package import Imaging

extension Markup {
  /// An image that is part of the page; `text` says what it shows to those who do not see it.
  ///
  /// Each pixel takes `scale` points of the page on a side; enlarged ones blend into each other
  /// where `isSmooth`.
  package static func image(
    _ image: PixelBuffer, _ text: String, scale: Int = 1, isSmooth: Bool = true
  ) -> Markup {
    guard let url = image.dataURL else { return .text(text) }
    return tag(
      "img",
      [
        "src": url, "alt": text, "width": "\(image.width * scale)",
        "height": "\(image.height * scale)", "class": isSmooth ? "smooth" : "pixels",
      ])
  }

  /// An image with a caption.
  package static func figure(_ content: Markup, caption: String) -> Markup {
    tag("figure", [:], [content, tag("figcaption", [:], caption)])
  }
}

extension PixelBuffer {
  /// The image as the address of itself: PNG in base64; nil where it cannot be encoded.
  package var dataURL: String? {
    guard let png = try? encodedAsPNG() else { return nil }
    return "data:image/png;base64," + Base64.text(png)
  }
}
