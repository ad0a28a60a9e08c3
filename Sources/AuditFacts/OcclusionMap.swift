// SPDX-License-Identifier: Apache-2.0

package import Imaging
package import VisionTasks

/// Where a model looks: how much of its answer is lost when a part of the image is hidden.
///
/// A grey window, a quarter of the image on a side, is moved over it; each cell gets the mean loss
/// of the windows that cover it. Only forward runs are needed (Zeiler and Fergus, Visualizing and
/// Understanding Convolutional Networks, 2014, section 4.2).
package struct OcclusionMap: Sendable {
  /// How much of an answer is left in an image: 1 for all of it, 0 for nothing.
  package struct Strength {
    /// What is looked at, in words.
    package let subject: String
    package let measure: (PixelBuffer) throws(VisionError) -> Double
  }

  /// What is looked at, in words.
  package let subject: String
  /// Cells on a side.
  package let steps: Int
  /// The mean loss in each cell, row by row.
  package let losses: [Double]
  /// The image with the losses as colors over it.
  package let image: PixelBuffer

  /// The map of an image in the model's size; nil for no steps, an image smaller than they are,
  /// or one without an answer.
  package init?(of image: PixelBuffer, _ task: ImageTask, steps: Int) throws(VisionError) {
    guard steps > 0, image.width >= steps, image.height >= steps,
      let strength = try task.strength(of: image)
    else { return nil }
    var sums = [Double](repeating: 0, count: steps * steps)
    var counts = sums
    let window = max(1, steps / 4)
    for row in 0...(steps - window) {
      for column in 0...(steps - window) {
        var hidden = image
        hidden.fill(
          ImageRect(
            x: Double(column * image.width / steps), y: Double(row * image.height / steps),
            width: Double(
              (column + window) * image.width / steps - column * image.width / steps),
            height: Double((row + window) * image.height / steps - row * image.height / steps)),
          with: PixelColor(red: 128, green: 128, blue: 128))
        let loss = 1 - (try strength.measure(hidden))
        for y in row..<row + window {
          for x in column..<column + window {
            sums[y * steps + x] += loss
            counts[y * steps + x] += 1
          }
        }
      }
    }
    subject = strength.subject
    self.steps = steps
    losses = zip(sums, counts).map { $1 > 0 ? $0 / $1 : 0 }
    self.image = Self.overlay(image, losses, steps)
  }

  /// Half the image, half the color of the loss.
  private static func overlay(_ image: PixelBuffer, _ losses: [Double], _ steps: Int)
    -> PixelBuffer
  {
    // Small losses stay dark.
    let most = max(losses.max() ?? 0, 0.1)
    let grey = image.converted(to: .grey8).bytes
    var pixels: [UInt8] = []
    pixels.reserveCapacity(image.width * image.height * 3)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let cell = y * steps / image.height * steps + x * steps / image.width
        let color = ColorScale.color(losses[cell] / most)
        let light = Int(grey[y * image.width + x])
        pixels += color.map { UInt8((Int($0) * 11 + light * 9) / 20) }
      }
    }
    return
      (try? PixelBuffer(
        width: image.width, height: image.height, format: .rgb8, bytes: pixels)) ?? image
  }
}
