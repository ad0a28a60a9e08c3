// SPDX-License-Identifier: Apache-2.0

import Testing
import Tokenizers

/// Tokens against those of the originals, which make_goldens.py recorded.
@Suite struct GoldenTests {
  @Test(arguments: GoldenFolder.all, ["task", "uncased", "cased"])
  func `word pieces`(folder: GoldenFolder, name: String) throws {
    var options = WordPieceTokenizer.Options()
    if name != "task" {
      options.splitting = .bert(lowercases: name == "uncased", stripsAccents: name == "uncased")
    }
    let tokenizer = try WordPieceTokenizer(
      vocabulary: try folder.bytes("vocabulary.txt"), options: options)
    report(try folder.differences(name, tokenizer.tokens))
  }

  @Test(arguments: GoldenFolder.all)
  func `regular expressions`(folder: GoldenFolder) throws {
    let vocabulary = try folder.bytes("words.txt")
    let delimiters = try folder.texts("delimiters.hex")
    #expect(delimiters.count == 4)
    for (index, delimiter) in delimiters.enumerated() {
      let tokenizer = try RegexTokenizer(delimiter: delimiter, vocabulary: vocabulary)
      report(try folder.differences("regex\(index)", tokenizer.tokens))
    }
  }

  @Test(arguments: GoldenFolder.all)
  func `sentence pieces`(folder: GoldenFolder) throws {
    let models = try folder.models()
    #expect(models.count >= 6)
    for model in models {
      let tokenizer = try SentencePieceTokenizer(model: try folder.bytes("\(model).model"))
      report(try folder.differences(model, tokenizer.tokens))
    }
  }

  @Test(arguments: GoldenFolder.all)
  func `texts of sentence pieces`(folder: GoldenFolder) throws {
    for model in try folder.models() {
      let tokenizer = try SentencePieceTokenizer(model: try folder.bytes("\(model).model"))
      let tokens = try folder.lines("\(model).tokens")
      let texts = try folder.lines("\(model).decoded")
      #expect(tokens.count == texts.count)
      for (line, hex) in zip(tokens, texts) {
        let ids = line.split(separator: " " as Character).compactMap { field in
          field.split(separator: ":" as Character).first.flatMap { Int($0) }
        }
        let text = try tokenizer.text(of: ids)
        #expect(Array(text.utf8) == Array(GoldenFolder.text(hex).utf8), "\(model)")
      }
    }
  }

  private func report(_ differences: [(text: String, found: String, expected: String)]) {
    #expect(differences.isEmpty, "\(differences.count) texts differ")
    for difference in differences.prefix(5) {
      let text = difference.text.unicodeScalars.map { String($0.value, radix: 16) }
      Issue.record("\(text): \(difference.found) is not \(difference.expected)")
    }
  }
}
