// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What vectors of texts are made for.
public enum MPPEmbeddingType: UInt, Sendable {
  /// To find documents by a query: the query.
  case retrievalQuery = 1
  /// To find documents by a query: the document.
  case retrievalDocument = 2
  /// To tell how alike texts are.
  case semanticSimilarity = 3
  /// To classify texts.
  case classification = 4
  /// To group texts.
  case clustering = 5
  /// To find answers to a question.
  case questionAnswering = 6
  /// To find what supports a claim.
  case factChecking = 7
  /// To find code by a description.
  case codeRetrieval = 8

  /// How an embedding model's prompt names the task.
  var taskName: String {
    switch self {
    case .retrievalQuery, .retrievalDocument: "search result"
    case .semanticSimilarity: "sentence similarity"
    case .classification: "classification"
    case .clustering: "clustering"
    case .questionAnswering: "question answering"
    case .factChecking: "fact checking"
    case .codeRetrieval: "code retrieval"
    }
  }
}

/// Which side of a search a text is on.
public enum MPPTextRole: UInt, Sendable {
  /// What is searched for.
  case query = 0
  /// What is searched.
  case document = 1
}

/// What a text is to be embedded for, by models that read it in a prompt: Gecko, EmbeddingGemma.
public final class TextFormatContext: NSObject {
  /// What the vectors are made for.
  public var embeddingType = MPPEmbeddingType.retrievalQuery
  /// The title of a document; nil or empty for none.
  public var title: String?
  /// Which side of a search the text is on.
  public var textRole = MPPTextRole.query

  /// A query of a search.
  public override init() {}

  /// The prompt that the model reads instead of the text alone.
  func prompt(_ text: String) -> String {
    isDocument
      ? "title: \(title.flatMap { $0.isEmpty ? nil : $0 } ?? "none") | text: \(text)"
      : "task: \(embeddingType.taskName) | query: \(text)"
  }

  private var isDocument: Bool {
    switch embeddingType {
    case .retrievalDocument: true
    case .questionAnswering, .factChecking, .codeRetrieval: textRole == .document
    case .retrievalQuery, .semanticSimilarity, .classification, .clustering: false
    }
  }
}
