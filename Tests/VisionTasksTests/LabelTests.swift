// SPDX-License-Identifier: Apache-2.0

import Foundation
import MetadataFormat
import ModelFormat
import Testing
import VisionTasks

@Suite struct LabelTests {
  @Test(arguments: [
    ("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("a\n\nb\n\n", ["a", "", "b", ""]),
    ("a\r\nb\r\n", ["a", "b"]), ("\u{FEFF}a\n", ["a"]), ("", []), ("\n", [""]),
  ])
  func `a label file has one label per line`(file: String, labels: [String]) {
    #expect(LabelMap.lines(of: Array(file.utf8)) == labels)
  }

  @Test func `invalid UTF-8 is repaired`() {
    #expect(LabelMap.lines(of: [0x61, 0xFF, 0x0A]) == ["a\u{FFFD}"])
  }

  @Test func `names beyond the labels are empty`() {
    let labels = LabelMap(classNames: ["cat"], displayNames: ["Katze"])
    #expect(labels.className(0) == "cat")
    #expect(labels.displayName(0) == "Katze")
    #expect(labels.className(1) == "")
    #expect(labels.displayName(-1) == nil)
  }

  /// 2 / (1 + e^−(1·0.5 + 0.5)) = 2 / (1 + e^−1) = 1.4621172.
  @Test func `calibration is a sigmoid for each class`() throws {
    let file = Array("2,1,0.5\n\n1,1,0,0.6\n".utf8)
    let options = ScoreCalibrationOptions(transformation: .identity, defaultScore: 0.25)
    let calibration = try ScoreCalibration(file: file, options: options)
    #expect(abs(calibration.calibrated(0.5, index: 0) - 1.462_117_2) < 1e-6)
    #expect(calibration.calibrated(0.5, index: 1) == 0.25)
    #expect(calibration.calibrated(0.5, index: 2) == 0.25)
    #expect(abs(calibration.calibrated(0.7, index: 2) - 0.668_187_8) < 1e-6)
    #expect(calibration.calibrated(0.5, index: 9) == 0.25)
  }

  /// log(0.5) − log(1 − 0.5) = 0, and the sigmoid of 0 is one half.
  @Test func `calibration may look at log odds`() throws {
    let options = ScoreCalibrationOptions(transformation: .inverseLogistic, defaultScore: 0)
    let calibration = try ScoreCalibration(file: Array("1,3,0".utf8), options: options)
    #expect(calibration.calibrated(0.5, index: 0) == 0.5)
    #expect(calibration.calibrated(1, index: 0) > 0.999)
    #expect(calibration.calibrated(0, index: 0) < 0.001)
  }

  @Test(arguments: ["1,2", "1,2,x", "-1,1,1", "1,nan,1", "1,1,1,1,1"])
  func `a calibration line of another form is refused`(line: String) {
    let options = ScoreCalibrationOptions(transformation: .log, defaultScore: 0)
    #expect(throws: TaskError.self) {
      try ScoreCalibration(file: Array(line.utf8), options: options)
    }
  }
}
