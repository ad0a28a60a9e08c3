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
    bias            -0.8007161  input 12 [0]
    accumulator     -0.8479953  sum of 1 products in float32,
                                one by one
    sum             -1.6487114  -0.8479953 + (-0.8007161)

    input gate, state
    input 18  stored  input 5     stored  product
       [0,0]     0.0    [0,0]  1.1202496      0.0
    accumulator            0.0  sum of 1 products in float32,
                                one by one
    sum             -1.6487114  0.0 + (-1.6487114)

    input gate
    logistic        0.16128317  1 / (1 + exp(-(-1.6487114)))

    forget gate, input
    input 0       stored  input 2        stored      product
    [0,0,0]  -0.79982686    [0,0]  -0.102507606  0.081988335
    bias            0.42551735  input 13 [0]
    accumulator    0.081988335  sum of 1 products in float32,
                                one by one
    sum             0.50750566  0.081988335 + 0.42551735

    forget gate, state
    input 18  stored  input 6      stored  product
       [0,0]     0.0    [0,0]  0.38551286      0.0
    accumulator            0.0  sum of 1 products in float32,
                                one by one
    sum             0.50750566  0.0 + 0.50750566

    forget gate
    logistic        0.62422156  1 / (1 + exp(-0.50750566))

    cell gate, input
    input 0       stored  input 3      stored     product
    [0,0,0]  -0.79982686    [0,0]  -0.5070499  0.40555215
    bias           -0.65335995  input 14 [0]
    accumulator     0.40555215  sum of 1 products in float32,
                                one by one
    sum             -0.2478078  0.40555215 + (-0.65335995)

    cell gate, state
    input 18  stored  input 7       stored  product
       [0,0]     0.0    [0,0]  -0.57996106     -0.0
    accumulator            0.0  sum of 1 products in float32,
                                one by one
    sum             -0.2478078  0.0 + (-0.2478078)

    cell gate
    tanh           -0.24285688  tanh(-0.2478078)

    cell state
    before                 0.0  input 19 [0,0]
    kept                   0.0  0.62422156 × 0.0, forget gate ×
                                before
    added         -0.039168727  0.16128317 × (-0.24285688),
                                input gate × cell gate
    sum           -0.039168727  0.0 + (-0.039168727)

    output gate, input
    input 0       stored  input 4       stored        product
    [0,0,0]  -0.79982686    [0,0]  0.002512429  -0.0020095082
    bias           -0.19272098  input 15 [0]
    accumulator  -0.0020095082  sum of 1 products in float32,
                                one by one
    sum            -0.19473049  -0.0020095082 + (-0.19272098)

    output gate, state
    input 18  stored  input 8       stored  product
       [0,0]     0.0    [0,0]  -0.05609088     -0.0
    accumulator            0.0  sum of 1 products in float32,
                                one by one
    sum            -0.19473049  0.0 + (-0.19473049)

    output gate
    logistic        0.45147064  1 / (1 + exp(-(-0.19473049)))

    output
    tanh           -0.03914871  tanh(-0.039168727)
    product       -0.017674493  0.45147064 × (-0.03914871),
                                output gate × that

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
