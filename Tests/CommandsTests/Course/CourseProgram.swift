// SPDX-License-Identifier: Apache-2.0

import Testing

/// A program of a chapter, as a function.
///
/// The text in the chapter is the function's body, so it also runs as a file of its own.
struct CourseProgram: CustomTestStringConvertible, Sendable {
  let chapter: String
  /// Which of the chapter's programs that print something it is, from 0.
  let position: Int
  let run: @Sendable ((String) -> Void) -> Void

  var testDescription: String { "\(chapter), program \(position)" }

  static let all: [CourseProgram] = [
    CourseProgram(chapter: "Convolution.md", position: 0, run: floatConvolution),
    CourseProgram(chapter: "Convolution.md", position: 1, run: integerConvolution),
    CourseProgram(chapter: "Quantization.md", position: 0, run: affineMapping),
    CourseProgram(chapter: "Quantization.md", position: 1, run: requantization),
    CourseProgram(chapter: "Memory.md", position: 0, run: greedyPlanner),
    CourseProgram(chapter: "Detection.md", position: 0, run: boxDecoding),
    CourseProgram(chapter: "Detection.md", position: 1, run: boxSuppression),
    CourseProgram(chapter: "Verification.md", position: 0, run: mishTolerances),
  ]
}
