// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import JSONDocuments
import TestSupport
import Testing

/// Values that `--fill random` makes up are in range of what reads them.
@Suite struct MadeUpInputTests {
  static let models = [
    "GATHER/f32_batch", "GATHER/bool_negative", "GATHER_ND/f32_blocks", "GATHER_ND/bool_rank_4",
    "EMBEDDING_LOOKUP/blockwise_i2_half", "EMBEDDING_LOOKUP_SPARSE/f32_mean_matrix_fed",
    "SCATTER_ND/bool_added", "SCATTER_ND/bool_vector", "SPARSE_TO_DENSE/f32_four_axes_i32",
    "REVERSE_SEQUENCE/f32_apart", "SEGMENT_SUM/f32_matrix", "UNSORTED_SEGMENT_SUM/f32_matrix_fed",
    "SLICE/f32_at_run_time", "MEAN/f32_axes_at_run_time", "REDUCE_ANY/bool_axes_at_run_time",
    "BROADCAST_ARGS/i32_longer", "RANDOM_UNIFORM/f32_at_run_time", "DILATE/bool_matrix_fed",
  ]

  @Test(arguments: models)
  func `indices, axes and counts of one operator`(name: String) {
    let model = Goldens.path(name) + "/model.tflite"
    for seed in 0..<5 {
      let console = CapturedConsole()
      #expect(console.run("run \(model) --fill random --seed \(seed)") == 0, "\(console.errors)")
    }
  }

  @Test func `integers that nothing looks up keep their whole range`() throws {
    let console = CapturedConsole()
    let model = Goldens.path("ABS/i32_typical") + "/model.tflite"
    guard InputFile.isArchived(model) else { return }
    #expect(console.run("run \(model) --fill random --json") == 0)
    let output = try JSON(parsing: console.output)["outputs"]?.array?.first
    #expect(output?["values"]?.array?.contains { $0.number ?? 0 > 1e6 } == true)
  }

  @Test(.enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS is not set"))
  func `published models of text and of recommendations run, and are traced and reported`() {
    for name in [
      "text_spam_avgvec_md", "text_nlclassifier_regex_md", "rec_history10", "rec_rnn_lstm_i10",
    ] {
      let model = "\(sharedModels ?? "")/nets/\(name)/model.tflite"
      for line in ["run \(model) --fill random", "report \(model) -o DIR/r.html"] {
        let console = CapturedConsole()
        #expect(console.run(line) == 0, "\(console.errors)")
      }
    }
  }
}
