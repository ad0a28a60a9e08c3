// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioProcessing
import Foundation
import ResourceLimits
import SeededRandom
import Testing

/// Rates, the filter's quality, and streams in blocks of any size.
@Suite struct ResamplerTests {
  /// Samples without a pattern that the filter could hide.
  static let ramp = (0..<40).map { Float(($0 * 37) % 64) / 64 - 0.5 }

  struct Row: Sendable, CustomTestStringConvertible {
    let from: Int
    let to: Int
    let count: Int
    let samples: [Float]
    var testDescription: String { "\(from) to \(to)" }
  }

  /// What NumPy computes with `scipy.special.i0` from the definition of MediaPipe's resampler.
  static let rows = [
    Row(
      from: 48_000, to: 16_000, count: 14,
      samples: [
        -0.18829207, 0.010086983, -0.035897426, -0.05816832, 0.09487796, -0.07476766, 0.1403582,
        0.032173075, -0.016554488, -0.12497811,
      ]),
    Row(
      from: 44_100, to: 16_000, count: 15,
      samples: [
        -0.20049444, -0.009863711, 0.020115398, -0.13982712, 0.13928336, -0.06925347, 0.04626567,
        0.12630273, -0.0039531006, -0.03414457,
      ]),
    Row(
      from: 16_000, to: 44_100, count: 111,
      samples: [
        -0.41383085, -0.26971769, -0.08786831, -0.028329566, -0.11788919, -0.22269213, -0.19538565,
        -0.03558808, 0.10898165, 0.10648252,
      ]),
    Row(
      from: 3, to: 2, count: 27,
      samples: [
        -0.26749322, -0.12314980, -0.041708980, 0.17612118, -0.031223957, -0.23852691, -0.020060723,
        0.054070618, 0.23930732, -0.13028596,
      ]),
  ]

  @Test(arguments: rows)
  func mediaPipesFilter(row: Row) throws {
    let clip = AudioClip(samples: Self.ramp, sampleRate: row.from)
    let result = try clip.resampled(to: row.to, filter: .mediaPipe)
    #expect(result.sampleRate == row.to && result.frameCount == row.count)
    for (value, expected) in zip(result.samples, row.samples) {
      #expect(abs(value - expected) < 2e-6)
    }
  }

  static func tone(_ frequency: Double, rate: Int, count: Int) -> [Float] {
    (0..<count).map { Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
  }

  /// The greatest difference of a resampled tone from the tone itself at the new rate, away from
  /// the ends.
  static func error(_ frequency: Double, from: Int, to: Int) throws -> Double {
    let count = from * 60 / 1000 + 300
    let clip = AudioClip(samples: tone(frequency, rate: from, count: count), sampleRate: from)
    let result = try clip.resampled(to: to)
    let edge = result.frameCount / 3
    return (edge..<result.frameCount - edge).reduce(0) { error, index in
      let expected =
        frequency < Double(min(from, to)) / 2
        ? sin(2 * .pi * frequency * Double(index) / Double(to)) : 0
      return max(error, abs(Double(result.samples[index]) - expected))
    }
  }

  @Test(arguments: [(48_000, 16_000), (44_100, 16_000), (16_000, 44_100), (22_050, 24_000)])
  func tonesPassOrVanish(rates: (from: Int, to: Int)) throws {
    let nyquist = Double(min(rates.from, rates.to)) / 2
    for proportion in stride(from: 0.05, through: 0.9, by: 0.17) {
      let error = try Self.error(proportion * nyquist, from: rates.from, to: rates.to)
      #expect(error < 2e-5, "\(proportion) of the Nyquist frequency")
    }
    for frequency in [nyquist * 1.001, nyquist * 1.2, Double(rates.from) * 0.49]
    where frequency > nyquist && frequency < Double(rates.from) / 2 {
      let error = try Self.error(frequency, from: rates.from, to: rates.to)
      #expect(error < 1e-5, "\(frequency) Hz is attenuated by 100 dB")
    }
  }

  @Test func ratesWithoutCommonFactorsAreAsGood() throws {
    // 44101 and 48000 have 48000 phases, for which coefficients are interpolated.
    for frequency in [440.0, 9_000, 19_000] {
      #expect(try Self.error(frequency, from: 44_101, to: 48_000) < 2e-5)
      #expect(try Self.error(frequency, from: 48_000, to: 44_101) < 2e-5)
    }
  }

  @Test(arguments: [(48_000, 16_000), (11_025, 16_000), (44_101, 16_000)], [1, 3])
  func blocksDoNotMatter(rates: (from: Int, to: Int), channels: Int) throws {
    var random = SeededRandom(seed: rates.from + channels)
    let samples = (0..<1500 * channels).map { _ in Float.random(in: -1...1, using: &random) }
    let clip = AudioClip(samples: samples, channelCount: channels, sampleRate: rates.from)
    let whole = try clip.resampled(to: rates.to)
    #expect(
      whole.frameCount
        == Int((1500 * Double(rates.to) / Double(rates.from)).rounded(.up)))
    var resampler = try Resampler(from: rates.from, to: rates.to, channelCount: channels)
    for greatest in [1, 7, 400] {
      var result: [Float] = []
      var start = 0
      while start < 1500 {
        let count = min(Int.random(in: 0...greatest, using: &random), 1500 - start)
        result += try resampler.process(
          Array(samples[start * channels..<(start + count) * channels]))
        start += count
      }
      result += resampler.finish()
      #expect(result == whole.samples)
    }
  }

  @Test func constantsStay() throws {
    let clip = AudioClip(samples: Array(repeating: 0.75, count: 1000), sampleRate: 22_050)
    let result = try clip.resampled(to: 16_000)
    for sample in result.samples[300..<400] { #expect(abs(sample - 0.75) < 1e-6) }
  }

  @Test func channelsAreResampledByThemselves() throws {
    let left = Self.tone(500, rate: 8000, count: 300)
    let right = Self.tone(900, rate: 8000, count: 300)
    let both = AudioClip(
      samples: zip(left, right).flatMap { [$0, $1] }, channelCount: 2, sampleRate: 8000)
    let result = try both.resampled(to: 16_000)
    for (channel, samples) in [left, right].enumerated() {
      let alone = try AudioClip(samples: samples, sampleRate: 8000).resampled(to: 16_000)
      #expect(result.channel(channel) == alone.samples)
    }
  }

  @Test func sameRateAndNoFrames() throws {
    let clip = AudioClip(samples: Self.ramp, sampleRate: 8000)
    #expect(try clip.resampled(to: 8000) == clip)
    let empty = AudioClip(samples: [], sampleRate: 8000)
    #expect(try empty.resampled(to: 16_000).frameCount == 0)
    let one = AudioClip(samples: [1], sampleRate: 8000)
    #expect(try one.resampled(to: 16_000).frameCount == 2)
  }

  @Test func valuesThatAreNoNumbersStayWithinTheFilter() throws {
    var samples = Array(repeating: Float(0.5), count: 2000)
    samples[1000] = .nan
    let result = try AudioClip(samples: samples, sampleRate: 16_000).resampled(to: 8000)
    #expect(result.samples[500].isNaN)
    #expect(result.samples[300].isFinite && result.samples[700].isFinite)
  }

  @Test func whatCannotBeDoneIsRefused() {
    let rows: [(String, () throws -> Void)] = [
      ("impossible sample rate 0", { _ = try Resampler(from: 0, to: 1) }),
      ("impossible sample rate -1", { _ = try Resampler(from: 1, to: -1) }),
      (
        "cannot resample from 1 to 16000 Hz: one is more than 1024 times the other",
        { _ = try AudioClip(samples: [1], sampleRate: 1).resampled(to: 16_000) }
      ),
      (
        "resampling filter with cutoff 2.0, not above 0 up to 1",
        {
          _ = try Resampler(
            from: 1, to: 2, filter: ResamplingFilter(radius: 5, cutoff: 2, beta: 6))
        }
      ),
      (
        "resampling filter with radius nan, not in 1...1024",
        {
          _ = try Resampler(
            from: 1, to: 2, filter: ResamplingFilter(radius: .nan, cutoff: 1, beta: 6))
        }
      ),
      (
        "3 samples are no whole number of frames of 2 channels",
        {
          var resampler = try Resampler(from: 1, to: 2, channelCount: 2)
          _ = try resampler.process([1, 2, 3])
        }
      ),
      (
        "the sound would take more than the limit of 7 bytes",
        {
          _ = try AudioClip(samples: [1], sampleRate: 1).resampled(
            to: 2, limits: Limits(audioByteCount: 7))
        }
      ),
    ]
    for (text, action) in rows {
      let error = #expect(throws: AudioProcessingError.self) { try action() }
      #expect(error?.description == text)
    }
  }
}
