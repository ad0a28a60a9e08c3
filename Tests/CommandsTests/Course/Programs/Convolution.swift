// SPDX-License-Identifier: Apache-2.0

extension CourseProgram {
  @Sendable static func floatConvolution(_ print: (String) -> Void) {
    // One line per tap: the image's red, green and blue, then the filter's three weights.
    let taps: [(pixel: [Float], weights: [Float])] = [
      ([0.78431374, 0.88235295, 0.7058824], [-0.08901946, -0.22892325, 0.03678566]),
      ([0.78431374, 0.88235295, 0.7058824], [-0.1324788, 0.03960223, 0.15651257]),
      ([0.78431374, 0.88235295, 0.7058824], [0.27591175, 0.580462, 0.16879886]),
      ([0.78431374, 0.88235295, 0.7058824], [0.020574965, -0.2486263, -0.119872995]),
      ([0.78431374, 0.88235295, 0.7058824], [-0.04324158, 0.053196315, 0.17277105]),
      ([0.6039216, 0.7176471, 0.5568628], [0.30741695, 0.4753917, 0.10002488]),
      ([0.78431374, 0.88235295, 0.7058824], [0.21042529, -0.10147989, -0.32719013]),
      ([0.78431374, 0.88235295, 0.7058824], [0.14913893, -0.113443255, 0.24454363]),
      ([0.7607843, 0.8627451, 0.6862745], [0.14261971, 0.52397215, 0.505546]),
    ]
    let bias: Float = -1.2423143

    var sum: Float = 0
    for tap in taps {
      for channel in 0..<3 {
        sum += tap.pixel[channel] * tap.weights[channel]
      }
    }
    let result = min(max(sum + bias, 0), 6)  // RELU6
    print("sum \(sum), with bias \(sum + bias), result \(result)")
  }

  @Sendable static func integerConvolution(_ print: (String) -> Void) {
    // The codes of the same nine taps.
    let taps: [(pixel: [Int32], weights: [Int32])] = [
      ([72, 97, 52], [-19, -50, 8]),
      ([72, 97, 52], [-29, 9, 34]),
      ([72, 97, 52], [60, 127, 37]),
      ([72, 97, 52], [5, -54, -26]),
      ([72, 97, 52], [-9, 12, 38]),
      ([26, 55, 14], [67, 104, 22]),
      ([72, 97, 52], [46, -22, -72]),
      ([72, 97, 52], [33, -25, 54]),
      ([66, 92, 47], [31, 115, 111]),
    ]
    let inputZeroPoint: Int32 = -128
    let bias: Int32 = -69311

    var sum: Int32 = 0
    for tap in taps {
      for channel in 0..<3 {
        sum += (tap.pixel[channel] - inputZeroPoint) * tap.weights[channel]
      }
    }
    sum += bias

    // 1370416071 · 2^(-9 - 31) = input scale · filter scale / output scale
    let product = Int64(sum) * 1_370_416_071
    let high = (product + (1 << 30)) >> 31  // rounded, halves up
    let quotient = (high + (high < 0 ? 255 : 256)) >> 9  // rounded, halves away from zero
    let code = min(max(quotient - 128, -128), 127)  // output zero point, then int8
    print("sum \(sum), high product \(high), shifted \(quotient), code \(code)")
    print("real value \(Float(0.014380609) * Float(code + 128))")
  }
}
