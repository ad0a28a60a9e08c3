// SPDX-License-Identifier: Apache-2.0

public import RecognitionScores

extension ClassificationScore {
  /// Counts one image.
  ///
  /// - Precondition: `truth` is from 0 to `classCount` − 1, and the classifier has that many
  ///   classes.
  /// - Parameters:
  ///   - truth: the image's class.
  ///   - classifications: what a classifier without threshold and limit says about it, best first;
  ///     its scores count as probabilities where all are from 0 to 1.
  public mutating func add(truth: Int, _ classifications: [ImageClassifier.Classification]) {
    let areProbabilities = classifications.allSatisfy { (0...1).contains($0.score) }
    add(
      truth: truth, ranking: classifications.map(\.index),
      probability: areProbabilities
        ? classifications.first { $0.index == truth }.map { Double($0.score) } : nil)
  }
}
