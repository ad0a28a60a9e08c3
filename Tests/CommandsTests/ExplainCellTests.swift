// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import JSONDocuments
import TestSupport
import Testing

/// Martlet explain, recurrent cells.
@Suite struct ExplainCellTests {
  /// Explains an element of a golden case's output.
  private func explain(_ golden: String, _ rest: String) throws -> CapturedConsole {
    let console = CapturedConsole()
    for file in ["model.tflite", "in_0.npy"] {
      let path = Goldens.path("UNIDIRECTIONAL_SEQUENCE_LSTM/\(golden)/\(file)")
      try console.put(try InputFile.bytes(at: path), file)
    }
    #expect(console.run("explain DIR/model.tflite -i DIR/in_0.npy --recompute \(rest)") == 0)
    return console
  }

  /// Worked out by hand for one input x = -0.8 and states of zero.
  ///
  ///     i = σ(x · 1.06 - 0.80) = σ(-1.65) = 0.161      f = σ(x · -0.10 + 0.43) = σ(0.51) = 0.624
  ///     g = tanh(x · -0.51 - 0.65) = tanh(-0.25) = -0.243
  ///     c = f · 0 + i · g = -0.0392
  ///     o = σ(x · 0.0025 - 0.19) = σ(-0.195) = 0.451    h = o · tanh(c) = -0.0177
  @Test func `an LSTM of one cell`() throws {
    let text = try explain("f32_one", "--tensor 15 --at 0,0,0").text
    let start = text.firstRange(of: "\n\ninput gate, input\n")?.lowerBound ?? text.endIndex
    #expect(String(text[start...]) == "\n\n" + Self.oneCell)
  }

  private static let oneCell = """
    input gate, input
    input 0       stored  input 1     stored     product
    [0,0,0]  -0.79982686    [0,0]  1.0602236  -0.8479953
    bias         input 12 [0] = -0.8007161
    accumulator  sum of 1 products in float32, one by one
                 = -0.8479953
    sum          -0.8479953 + (-0.8007161) = -1.6487114

    input gate, state
    input 18  stored  input 5     stored  product
       [0,0]     0.0    [0,0]  1.1202496      0.0
    accumulator  sum of 1 products in float32, one by one
                 = 0.0
    sum          0.0 + (-1.6487114) = -1.6487114

    input gate
    logistic     1 / (1 + exp(-(-1.6487114))) = 0.16128317

    forget gate, input
    input 0       stored  input 2        stored      product
    [0,0,0]  -0.79982686    [0,0]  -0.102507606  0.081988335
    bias         input 13 [0] = 0.42551735
    accumulator  sum of 1 products in float32, one by one
                 = 0.081988335
    sum          0.081988335 + 0.42551735 = 0.50750566

    forget gate, state
    input 18  stored  input 6      stored  product
       [0,0]     0.0    [0,0]  0.38551286      0.0
    accumulator  sum of 1 products in float32, one by one
                 = 0.0
    sum          0.0 + 0.50750566 = 0.50750566

    forget gate
    logistic     1 / (1 + exp(-0.50750566)) = 0.62422156

    cell gate, input
    input 0       stored  input 3      stored     product
    [0,0,0]  -0.79982686    [0,0]  -0.5070499  0.40555215
    bias         input 14 [0] = -0.65335995
    accumulator  sum of 1 products in float32, one by one
                 = 0.40555215
    sum          0.40555215 + (-0.65335995) = -0.2478078

    cell gate, state
    input 18  stored  input 7       stored  product
       [0,0]     0.0    [0,0]  -0.57996106     -0.0
    accumulator  sum of 1 products in float32, one by one
                 = 0.0
    sum          0.0 + (-0.2478078) = -0.2478078

    cell gate
    tanh         tanh(-0.2478078) = -0.24285688

    cell state
    before       input 19 [0,0] = 0.0
    kept         0.62422156 × 0.0, forget gate × before
                 = 0.0
    added        0.16128317 × (-0.24285688),
                   input gate × cell gate
                 = -0.039168727
    sum          0.0 + (-0.039168727) = -0.039168727

    output gate, input
    input 0       stored  input 4       stored        product
    [0,0,0]  -0.79982686    [0,0]  0.002512429  -0.0020095082
    bias         input 15 [0] = -0.19272098
    accumulator  sum of 1 products in float32, one by one
                 = -0.0020095082
    sum          -0.0020095082 + (-0.19272098) = -0.19473049

    output gate, state
    input 18  stored  input 8       stored  product
       [0,0]     0.0    [0,0]  -0.05609088     -0.0
    accumulator  sum of 1 products in float32, one by one
                 = 0.0
    sum          0.0 + (-0.19473049) = -0.19473049

    output gate
    logistic     1 / (1 + exp(-(-0.19473049))) = 0.45147064

    output
    tanh         tanh(-0.039168727) = -0.03914871
    product      0.45147064 × (-0.03914871), output gate × that
                 = -0.017674493

    recomputed: equal (from the numbers above)

    """

  @Test func `parts and sources in JSON`() throws {
    let console = try explain("f32_everything", "--tensor 20 --at 0,2,1 --json")
    let document = try JSON(parsing: console.output)
    #expect(document["recomputation"]?["method"] == "steps")
    let terms = try #require(document["node"]?["terms"]?.array)
    let state = try #require(terms.first { $0["part"] == "cell gate, state" })
    #expect(state["factors"]?.array?[0]["input"] == 18)
    #expect(state["factors"]?.array?[1]["input"] == 7)
    let projected = try #require(terms.last)
    #expect(projected["part"] == "projection")
    #expect(projected["factors"]?.array?[0]["computed"] == "result")
    #expect(document["node"]?["steps"]?.array?.last?["part"] == "projection")
  }
}
