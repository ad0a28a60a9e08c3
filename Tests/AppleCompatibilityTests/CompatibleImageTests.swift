// SPDX-License-Identifier: Apache-2.0

import AppleCompatibility
import Foundation
import Imaging
import Testing

/// UIKit's and Core Video's substitutes.
@Suite struct CompatibleImageTests {
  private func image(width: Int, height: Int) throws -> PixelBuffer {
    try PixelBuffer(
      width: width, height: height, format: .rgba8,
      bytes: (0..<width * height * 4).map { UInt8(truncatingIfNeeded: $0 * 37) | 3 })
  }

  @Test func `an image's size is that of the upright image`() throws {
    let image = CGImage(try image(width: 4, height: 2))
    #expect(UIImage(cgImage: image).size == CGSize(width: 4, height: 2))
    let turned: Set<UIImage.Orientation> = [.left, .right, .leftMirrored, .rightMirrored]
    for orientation in UIImage.Orientation.allCases {
      let size = UIImage(cgImage: image, scale: 2, orientation: orientation).size
      let wanted = turned.contains(orientation) ? (1, 2) : (2, 1)
      #expect(size == CGSize(width: wanted.0, height: wanted.1))
    }
  }

  @Test func `an image survives its PNG file`() throws {
    let pixels = try image(width: 3, height: 5)
    let data = try #require(UIImage(cgImage: CGImage(pixels)).pngData())
    let image = try #require(UIImage(data: data))
    #expect(image.cgImage?.pixels == pixels)
    #expect(image.imageOrientation == .up)
    #expect(UIImage(data: Data([1, 2, 3])) == nil)
    #expect(UIImage(contentsOfFile: "/no/such/image.png") == nil)
  }

  @Test func `a frame of colors keeps them`() throws {
    let pixels = try image(width: 3, height: 2)
    let sample = CMSampleBuffer(imageBuffer: CVPixelBuffer(pixels))
    let buffer = try #require(CMSampleBufferGetImageBuffer(sample))
    #expect(CVPixelBufferGetWidth(buffer) == 3)
    #expect(CVPixelBufferGetHeight(buffer) == 2)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
    #expect(buffer.pixels.converted(to: .rgba8) == pixels)
  }

  /// Luma, blue and red chroma, and the color by the floating-point formula of BT.601.
  static let colors: [(BiplanarImage.Range, [UInt8], [UInt8])] = [
    (.full, [0, 128, 128], [0, 0, 0]),
    (.full, [255, 128, 128], [255, 255, 255]),
    (.full, [76, 85, 255], [254, 0, 0]),
    (.full, [150, 44, 21], [0, 255, 1]),
    (.full, [29, 255, 107], [0, 0, 254]),
    (.video, [16, 128, 128], [0, 0, 0]),
    (.video, [235, 128, 128], [255, 255, 255]),
    (.video, [81, 90, 240], [254, 0, 0]),
    (.video, [145, 54, 34], [0, 255, 1]),
    (.video, [41, 240, 110], [0, 0, 255]),
    (.video, [0, 128, 128], [0, 0, 0]),
  ]

  @Test(arguments: colors)
  func `luma and chroma become colors`(range: BiplanarImage.Range, code: [UInt8], expected: [UInt8])
    throws
  {
    // Three by three pixels with padded rows: the last column and row have chroma of their own.
    let image = try BiplanarImage(
      width: 3, height: 3,
      luma: .init(bytes: [UInt8](repeating: code[0], count: 8 + 8 + 3), rowByteCount: 8),
      chroma: .init(
        bytes: [code[1], code[2], code[1], code[2], 9, code[1], code[2], code[1], code[2]],
        rowByteCount: 5), range: range)
    let buffer = CVPixelBuffer(image)
    let format = CVPixelBufferGetPixelFormatType(buffer)
    #expect(
      format
        == (range == .full
          ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
          : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
    for pixel in 0..<9 {
      #expect(Array(buffer.pixels.bytes[pixel * 3..<pixel * 3 + 3]) == expected)
    }
  }

  @Test func `planes that are too short are refused`() {
    let plane = BiplanarImage.Plane(bytes: [UInt8](repeating: 0, count: 16), rowByteCount: 4)
    #expect(throws: Never.self) {
      try BiplanarImage(width: 4, height: 4, luma: plane, chroma: plane, range: .full)
    }
    #expect(throws: ImagingError.self) {
      try BiplanarImage(width: 5, height: 3, luma: plane, chroma: plane, range: .full)
    }
    #expect(throws: ImagingError.self) {
      try BiplanarImage(width: 4, height: 5, luma: plane, chroma: plane, range: .full)
    }
    #expect(throws: ImagingError.self) {
      try BiplanarImage(
        width: 4, height: 4, luma: plane,
        chroma: .init(bytes: plane.bytes, rowByteCount: Int.max), range: .full)
    }
  }

  @Test func `the device is held as the program says`() {
    #expect(UIDevice.current.orientation == .unknown)
    UIDevice.current.orientation = .landscapeLeft
    #expect(UIDevice.current.orientation == .landscapeLeft)
    UIDevice.current.orientation = .unknown
    #expect(AVCaptureDevice.Position.front.rawValue == 2)
  }
}
