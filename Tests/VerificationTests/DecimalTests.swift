// SPDX-License-Identifier: Apache-2.0

import Formatting
import Testing

/// Numbers for readers.
@Suite struct DecimalTests {
  @Test(arguments: [
    (1.0, 2, "1.00"), (0.005, 2, "0.01"), (-0.004, 2, "0.00"), (-1.5, 0, "-2"),
    (12.3456, 3, "12.346"), (0.0001, 3, "0.000"), (.infinity, 2, "inf"), (1e300, 2, "1e+300"),
  ])
  func `a fixed number of digits after the point`(value: Double, digits: Int, text: String) {
    #expect(value.fixed(digits) == text)
  }

  @Test(arguments: [
    (0.0, "0"), (1.0, "1"), (0.1, "0.1"), (1.0 / 3, "0.333333"), (2.0 / 3e3, "0.000666667"),
    (123456.789, "123457"), (-98.7654321, "-98.7654"), (1e-7, "1e-07"), (1e20, "1e+20"),
    (-1.23456789e-9, "-1.23457e-09"), (2.5395775e-05, "2.53958e-05"),
    (.nan, "nan"), (-.nan, "nan"), (-.infinity, "-inf"), (100, "100"),
  ])
  func `about six significant digits`(value: Double, text: String) {
    #expect(value.short() == text)
  }

  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (5_242_880, "5 MiB"),
    (3 << 30, "3 GiB"),
  ])
  func `bytes in binary units`(count: Int, text: String) {
    #expect(count.byteText == text)
  }
}
