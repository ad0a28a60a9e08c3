// SPDX-License-Identifier: Apache-2.0

import AppleCompatibility
import Foundation
import Imaging
import MediaPipeTasksVision
import Testing

/// What vision tasks take, and what they refuse.
@Suite struct VisionInputTests {
  static let detector = VisionTests.detector
  static let isThere = VisionTests.has(detector)

  static func pixels() throws -> PixelBuffer {
    try PixelBuffer(
      width: 3, height: 2, format: .rgb8, bytes: [UInt8](repeating: 9, count: 18), rowByteCount: 9)
  }

  @Test func `an image knows what it was made of`() throws {
    let stored = CGImage(try Self.pixels())
    let turned = try MPImage(uiImage: UIImage(cgImage: stored, scale: 2, orientation: .left))
    #expect(turned.imageSourceType == .image && turned.orientation == .left)
    #expect(turned.width == 2 && turned.height == 3 && turned.image != nil)
    let other = try MPImage(
      uiImage: UIImage(cgImage: stored, scale: 1, orientation: .left), orientation: .down)
    #expect(other.orientation == .down)
    let frame = CVPixelBuffer(try Self.pixels())
    let ofFrame = try MPImage(pixelBuffer: frame, orientation: .right)
    #expect(ofFrame.imageSourceType == .pixelBuffer && ofFrame.pixelBuffer === frame)
    #expect(ofFrame.width == 3 && ofFrame.height == 2 && ofFrame.orientation == .right)
    let sample = CMSampleBuffer(imageBuffer: frame)
    let ofSample = try MPImage(sampleBuffer: sample)
    #expect(ofSample.imageSourceType == .sampleBuffer && ofSample.orientation == .up)
    #expect(ofSample.image == nil && ofSample.pixelBuffer == nil)
    #expect(ofSample.sampleBuffer === sample)
    #expect(try MPImage(pixelBuffer: frame).orientation == .up)
    #expect(thrown { _ = try MPImage(sampleBuffer: CMSampleBuffer(imageBuffer: nil)) }?.code == 3)
  }

  @Test func `a delegate belongs to live streams`() {
    let listener = VisionTests.Listener()
    let options = ObjectDetectorOptions()
    options.objectDetectorLiveStreamDelegate = listener
    for mode in [RunningMode.image, .video] {
      options.runningMode = mode
      #expect(
        thrown { _ = try ObjectDetector(options: options) }?.parts
          == NSError.invalidArgument(
            "The vision task is in image or video mode. The delegate must not be set in the task's options."
          ))
    }
    options.runningMode = .liveStream
    options.objectDetectorLiveStreamDelegate = nil
    #expect(
      thrown { _ = try ObjectDetector(options: options) }?.parts
        == NSError.invalidArgument(
          "The vision task is in live stream mode. An object must be set as the delegate of the task in its options to ensure asynchronous delivery of results."
        ))
  }

  @Test(isThere, arguments: [RunningMode.image, .video, .liveStream])
  func `each mode refuses the methods of the others`(mode: RunningMode) throws {
    let listener = VisionTests.Listener()
    let options = VisionTests.detectorOptions
    options.runningMode = mode
    if mode == .liveStream { options.objectDetectorLiveStreamDelegate = listener }
    let detector = try ObjectDetector(options: options)
    let image = try MPImage(pixelBuffer: CVPixelBuffer(try Self.pixels()))
    let name = ["Image", "Video", "Live Stream"][Int(mode.rawValue)]
    let calls: [(RunningMode, String, () throws -> Void)] = [
      (.image, "image", { _ = try detector.detect(image: image) }),
      (.video, "video", { _ = try detector.detect(videoFrame: image, timestampInMilliseconds: 0) }),
      (
        .liveStream, "live stream",
        { try detector.detectAsync(image: image, timestampInMilliseconds: 0) }
      ),
    ]
    for (wanted, text, call) in calls {
      let error = thrown(call)
      guard wanted != mode else {
        #expect(error == nil)
        continue
      }
      #expect(
        error?.parts
          == NSError.invalidArgument(
            "The vision task is not initialized with \(text) mode. Current Running Mode: \(name)"))
    }
  }

  @Test(isThere) func `times of a video must increase`() throws {
    let options = VisionTests.detectorOptions
    options.runningMode = .video
    let detector = try ObjectDetector(options: options)
    let image = try MPImage(pixelBuffer: CVPixelBuffer(try Self.pixels()))
    let first = try detector.detect(videoFrame: image, timestampInMilliseconds: 7)
    #expect(first.timestampInMilliseconds == 7)
    for time in [7, 6, .min] {
      let error = thrown {
        _ = try detector.detect(videoFrame: image, timestampInMilliseconds: time)
      }
      #expect(error?.parts == NSError.invalidArgument(ErrorText.order))
    }
    _ = try detector.detect(videoFrame: image, timestampInMilliseconds: 8)
  }

  @Test(isThere) func `mirrored images are refused`() throws {
    let detector = try ObjectDetector(options: VisionTests.detectorOptions)
    let image = try MPImage(
      pixelBuffer: CVPixelBuffer(try Self.pixels()), orientation: .leftMirrored)
    let error = thrown { _ = try detector.detect(image: image) }
    #expect(error?.code == 3)
    #expect(error?.localizedDescription.hasPrefix("Unsupported UIImageOrientation.") == true)
  }

  @Test(
    VisionTests.has(VisionTests.classifier),
    arguments: [
      CGRect(x: 0.5, y: 0, width: 0.6, height: 1), CGRect(x: -0.1, y: 0, width: 0.5, height: 1),
      CGRect(x: 0.1, y: 0.1, width: 0, height: 0.5),
      CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1),
      CGRect(x: 0, y: 0, width: CGFloat.infinity, height: 1),
    ])
  func `a part must lie in the image`(part: CGRect) throws {
    let classifier = try ImageClassifier(modelPath: PublishedFiles.path(VisionTests.classifier))
    let image = try MPImage(pixelBuffer: CVPixelBuffer(try Self.pixels()))
    #expect(
      thrown { _ = try classifier.classify(image: image, regionOfInterest: part) }?.code == 3)
  }

  @Test func `a mask has its values in both types`() throws {
    let bytes: [UInt8] = [0, 51, 255, 128]
    let mask = try #require(
      unsafe bytes.withUnsafeBufferPointer { values in
        unsafe values.baseAddress.flatMap {
          unsafe Mask(uint8Data: $0, width: 2, height: 2, shouldCopy: true)
        }
      })
    #expect(mask.width == 2 && mask.height == 2 && mask.dataType == .uInt8)
    for index in 0..<4 {
      #expect(unsafe mask.uint8Data[index] == bytes[index])
      #expect(unsafe mask.float32Data[index] == Float(bytes[index]) / 255)
    }
    let floats: [Float] = [0.5, 2, -1, .nan]
    let confidences = try #require(
      unsafe floats.withUnsafeBufferPointer { values in
        unsafe values.baseAddress.flatMap {
          unsafe Mask(float32Data: $0, width: 4, height: 1, shouldCopy: true)
        }
      })
    let copy = try #require(confidences.copy() as? Mask)
    #expect(copy.dataType == .float32)
    let expected: [UInt8] = [127, 255, 0, 0]
    for index in 0..<4 { #expect(unsafe copy.uint8Data[index] == expected[index]) }
    #expect(
      unsafe floats.withUnsafeBufferPointer { values in
        unsafe values.baseAddress.flatMap {
          unsafe Mask(float32Data: $0, width: 0, height: 1, shouldCopy: true)
        }
      } == nil)
  }
}
