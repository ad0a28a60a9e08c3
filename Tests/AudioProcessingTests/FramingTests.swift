// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioProcessing
import SeededRandom
import Testing

/// Mixing, buffers, windows of a sound and window functions.
@Suite struct FramingTests {
  @Test func channelsAreMixed() throws {
    let clip = AudioClip(samples: [1, 0.5, 0, -1, -0.5, 0.75], channelCount: 3, sampleRate: 8)
    #expect(clip.mono == AudioClip(samples: [0.5, -0.25], sampleRate: 8))
    #expect(try clip.mixed(toChannelCount: 3) == clip)
    #expect(try clip.mixed(toChannelCount: 1) == clip.mono)
    #expect(try clip.mono.mixed(toChannelCount: 2).samples == [0.5, 0.5, -0.25, -0.25])
    let error = #expect(throws: AudioProcessingError.self) {
      try clip.mixed(toChannelCount: 2)
    }
    #expect(error?.description == "3 channels where 2 are needed")
  }

  @Test func newestFramesStay() throws {
    var buffer = try AudioRingBuffer(frameCount: 3, channelCount: 2)
    #expect(buffer.contents == [0, 0, 0, 0, 0, 0])
    try buffer.load([1, 2])
    #expect(buffer.contents == [0, 0, 0, 0, 1, 2])
    try buffer.load([3, 4, 5, 6])
    #expect(buffer.contents == [1, 2, 3, 4, 5, 6])
    try buffer.load([Float](arrayLiteral: 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    #expect(buffer.contents == [11, 12, 13, 14, 15, 16])
    try buffer.load(AudioClip(samples: [17, 18], channelCount: 2, sampleRate: 1))
    #expect(try buffer.newest(1) == [17, 18] && buffer.newest(2) == [15, 16, 17, 18])
    #expect(try buffer.newest(0) == [] && buffer.newest(3) == buffer.contents)
    #expect(throws: AudioProcessingError.self) { try buffer.newest(4) }
    #expect(throws: AudioProcessingError.self) { try buffer.load([1]) }
    #expect(throws: AudioProcessingError.self) {
      try buffer.load(AudioClip(samples: [], sampleRate: 1))
    }
    buffer.clear()
    #expect(buffer.contents == [0, 0, 0, 0, 0, 0])
  }

  @Test func bufferAgreesWithAnArray() throws {
    var random = SeededRandom(seed: 7)
    var buffer = try AudioRingBuffer(frameCount: 13)
    var all = Array(repeating: Float(0), count: 13)
    for number in 0..<200 {
      let block = (0..<Int.random(in: 0...30, using: &random)).map { Float(number * 100 + $0) }
      try buffer.load(block)
      all += block
      #expect(buffer.contents == Array(all.suffix(13)))
      #expect(try buffer.newest(5) == Array(all.suffix(5)))
    }
  }

  /// Windows of 4 frames in sounds of 0, 1, … 9, counted by hand.
  @Test(arguments: [
    (4, [0, 1, 1, 1, 1, 2, 2, 2, 2, 3]), (2, [0, 1, 1, 1, 2, 2, 3, 3, 4, 4]),
    (3, [0, 1, 1, 1, 2, 2, 2, 3, 3, 3]), (1, [0, 1, 1, 1, 2, 3, 4, 5, 6, 7]),
  ])
  func windowsAreCounted(hop: Int, counts: [Int]) throws {
    let framing = try AudioFraming(frameCount: 4, hop: hop)
    #expect((0...9).map { framing.windowCount(in: $0) } == counts)
    for count in 0...9 {
      let clip = AudioClip(samples: (0..<count).map { Float($0 + 1) }, sampleRate: 10)
      var framer = try AudioFramer(framing)
      var windows = try framer.process(Array(clip.samples.prefix(3)))
      windows += try framer.process(Array(clip.samples.dropFirst(3)))
      if let last = framer.finish() { windows.append(last) }
      #expect(windows == (0..<counts[count]).map { framing.window($0, of: clip) })
    }
  }

  @Test func lastWindowEndsWithZeros() throws {
    let framing = try AudioFraming(frameCount: 3, hop: 2)
    let clip = AudioClip(samples: [1, 2, 3, 4, 5, 6, 7, 8], channelCount: 2, sampleRate: 10)
    #expect(framing.window(0, of: clip) == [1, 2, 3, 4, 5, 6])
    #expect(framing.window(1, of: clip) == [5, 6, 7, 8, 0, 0])
    #expect(framing.windowCount(in: 4) == 2 && framing.wholeWindowCount(in: 4) == 1)
  }

  /// MediaPipe's test of YAMNet has windows of 15600 frames at 0, 975, 1950 and 2925 ms.
  @Test func timesAreThoseOfMediaPipe() throws {
    let framing = try AudioFraming(frameCount: 15_600)
    let times = (0..<4).map { framing.microseconds(ofWindow: $0, sampleRate: 16_000) }
    #expect(times == [0, 975_000, 1_950_000, 2_925_000])
    #expect(framing.windowCount(in: 68_360) == 5)
    #expect(framing.microseconds(ofWindow: .max, sampleRate: 16_000) == .max)
    #expect(try AudioFraming(frameCount: 1).microseconds(ofWindow: 3, sampleRate: 44_100) == 69)
  }

  @Test(arguments: [(0, 1), (-1, 1), (4, 0), (4, 5), (1 << 29, 1)])
  func impossibleWindowsAreRefused(frameCount: Int, hop: Int) {
    #expect(throws: AudioProcessingError.self) {
      try AudioFraming(frameCount: frameCount, hop: hop)
    }
  }

  /// Values of `scipy.signal.get_window` and `numpy.kaiser`.
  @Test(arguments: [
    (WindowFunction.hann, 8, true, [0, 0.1464466094, 0.5, 0.8535533906, 1, 0.8535533906]),
    (.hamming, 8, true, [0.08, 0.2147308807, 0.54, 0.8652691193, 1]),
    (
      .kaiser(beta: 6), 7, false,
      [0.0148733371, 0.2537060803, 0.7318954154, 1, 0.7318954154, 0.2537060803, 0.0148733371]
    ),
  ])
  func windowFunctions(
    function: WindowFunction, count: Int, isPeriodic: Bool, expected: [Double]
  ) {
    let values = function.values(count, isPeriodic: isPeriodic)
    #expect(values.count == count)
    for (value, expected) in zip(values, expected) { #expect(abs(value - expected) < 1e-9) }
    #expect(function.values(0) == [] && function.values(1) == [1] && function.values(-3) == [])
  }
}
