// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

/// Images that libyuv (2023-01-23, x86-64) resized with `ARGBScale` and `kFilterBilinear`.
@Suite struct LibyuvResizeTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let from: (width: Int, height: Int)
    let to: (width: Int, height: Int)
    let expected: [UInt8]

    init(_ name: String, from: (Int, Int), to: (Int, Int), _ lines: String) {
      testDescription = name
      (self.from, self.to) = (from, to)
      let digits = lines.filter(\.isHexDigit).compactMap(\.hexDigitValue)
      expected = stride(from: 0, to: digits.count - 1, by: 2).map { location in
        UInt8(16 * digits[location] + digits[location + 1])
      }
    }
  }

  static let rows = [
    Row(
      "even steps", from: (16, 4), to: (4, 2),
      """
      6ba0958a8d82776c6f64998e91863b70766ba09590857a6f6a9f94894479aea3
      """),
    Row(
      "odd steps", from: (12, 6), to: (4, 2),
      """
      87bcf1260b4075aa8fc4f92e13487db2ade2174c70a5da0f33689dd2f62b6095
      """),
    Row(
      "smaller", from: (10, 7), to: (4, 3),
      """
      5b8fc479974d826180759449939d53883d71a5daccc0386c5e92c63bad24588d467b867b808a4074
      8f84a4584a695e93
      """),
    Row(
      "larger", from: (5, 4), to: (8, 6),
      """
      0034699d15497eb2295e93c73f73a8dc5388bda9689dd22c7db2e61d92c7fc32366a9fd34d81b694
      6499b86a7cb07881929c657caa5c7c58815e92614176ab796ca0a2d7869dbc7c98a1b93f95bb5e59
      a09b3e72ba40588c7d3d719022578c8da2d74075be7e5d74bd44717a65617096486d7db1646c9ace
      6a81b694689dd23c73a84378916e62969a4b80a7616b9f8b5488a18c73a785ab909a9588af7fb44f
      11467aae32669bcf5287bbcc73a8dc5b94c8b535b5e94456d59e4275f72e6396
      """),
    Row(
      "wider and lower", from: (6, 9), to: (8, 3),
      """
      5a8ec3f879aee26198cd9538b7c82257d7314276642c6196174b80b5366b9fd46b9fd40a99cd4c39
      c78f3266d12b6095495a8ec35388bc5f81b5a221afe41a4f7cb0e51bb9376c58892c609534699dae
      71a6db35af51864ea322568b2a5f93c8
      """),
    Row(
      "narrower and higher", from: (9, 3), to: (4, 5),
      """
      174b80b4699ed227bcd0275b10457aae467aaf94a0658b4f7da0668a568b907675aade73d82c4477
      3d70a5b99dd1a73ea48a8f7391547aae7a9f6689669a9f84d4694074497cb1e6b9ce26592d6297ca
      """),
    Row(
      "lower only", from: (4, 7), to: (4, 3),
      """
      3c71a6db669bd05b90c55085b944795812477bb04c80b5ea85baef25bff42a5f90c54f8430659a7a
      7aaf8fc46fa42e63
      """),
    Row(
      "higher only", from: (4, 3), to: (4, 4),
      """
      00356a9f255a8fc44a7fb4e96fa4d90e3c71a6db669bd05b90c55085b944795879ae8ec3a888bd47
      81b64075af396ea3b6eb2156e91f54881d5286bb5084b9ee
      """),
  ]

  /// Channel `c` of the pixel at column `x` and row `y` is 37 x + 91 y + 53 c + 7 x y, modulo 256.
  static func image(_ width: Int, _ height: Int) throws -> PixelBuffer {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<4 {
          bytes.append(UInt8(truncatingIfNeeded: 37 * x + 91 * y + 53 * c + 7 * x * y))
        }
      }
    }
    return try PixelBuffer(width: width, height: height, format: .rgba8, bytes: bytes)
  }

  @Test(arguments: rows)
  func `every bit is that of libyuv`(row: Row) throws {
    let resized = try Self.image(row.from.width, row.from.height).resized(
      toWidth: row.to.width, height: row.to.height, filter: .libyuvBilinear)
    #expect(resized.bytes == row.expected)
  }

  @Test(arguments: [
    (1, 1, 3, 4), (1, 5, 4, 2), (7, 1, 3, 3), (2, 2, 1, 1), (9, 9, 1, 9), (1, 4, 1, 2),
  ])
  func `narrow images are resized as well`(width: Int, height: Int, newWidth: Int, newHeight: Int)
    throws
  {
    let color = PixelColor(red: 10, green: 20, blue: 30)
    let image = try PixelBuffer(width: width, height: height, format: .rgb8, filledWith: color)
    let resized = try image.resized(
      toWidth: newWidth, height: newHeight, filter: .libyuvBilinear)
    #expect(resized.bytes.count == 3 * newWidth * newHeight)
    for (index, byte) in resized.bytes.enumerated() {
      #expect(abs(Int(byte) - 10 * (index % 3 + 1)) <= 1)
    }
  }
}
