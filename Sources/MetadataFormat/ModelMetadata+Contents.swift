// SPDX-License-Identifier: Apache-2.0

extension ModelMetadata {
  /// Every associated file that the metadata mentions, wherever it does, in order.
  public var allAssociatedFiles: [AssociatedFile] {
    associatedFiles
      + subgraphs.flatMap { subgraph in
        subgraph.associatedFiles + (subgraph.inputs + subgraph.outputs).flatMap(\.associatedFiles)
      } + processUnits.flatMap(\.associatedFiles)
  }

  /// The process units of all tensors and subgraphs.
  var processUnits: [ProcessUnit] {
    var units: [ProcessUnit] = []
    for subgraph in subgraphs {
      units += subgraph.inputProcessUnits + subgraph.outputProcessUnits
      for tensor in subgraph.inputs + subgraph.outputs { units += tensor.processUnits }
    }
    return units
  }

  /// The oldest version of the metadata's schema that has all that is used here.
  ///
  /// The history stands at the top of `metadata_schema.fbs`.
  public var requiredParserVersion: String {
    let tensors = subgraphs.flatMap { $0.inputs + $0.outputs }
    let files = allAssociatedFiles
    var units = processUnits.map(\.parserVersion)
    if files.contains(where: { $0.kind == .vocabulary }) { units.append((1, 0, 1)) }
    if files.contains(where: { $0.kind == .scannIndexFile }) { units.append((1, 4, 0)) }
    if files.contains(where: { $0.version != nil }) { units.append((1, 4, 1)) }
    for subgraph in subgraphs {
      if !(subgraph.inputProcessUnits + subgraph.outputProcessUnits).isEmpty {
        units.append((1, 1, 0))
      }
      if !(subgraph.inputGroups + subgraph.outputGroups).isEmpty { units.append((1, 2, 0)) }
      if !subgraph.customMetadata.isEmpty { units.append((1, 5, 0)) }
    }
    for case .audio? in tensors.map(\.content?.properties) { units.append((1, 3, 0)) }
    let newest = units.reduce((1, 0, 0)) { $0 < $1 ? $1 : $0 }
    return "\(newest.0).\(newest.1).\(newest.2)"
  }
}

extension TensorMetadata {
  /// How the tensor's values are normalized: all of these that its process units name.
  package var normalizations: [NormalizationOptions] {
    processUnits.compactMap { unit in
      if case .normalization(let options) = unit { options } else { nil }
    }
  }
}

extension ProcessUnit {
  /// The files that the unit reads.
  public var associatedFiles: [AssociatedFile] {
    switch self {
    case .bertTokenizer(let options): options.vocabularyFiles
    case .sentencePieceTokenizer(let options): options.modelFiles + options.vocabularyFiles
    case .regexTokenizer(let options): options.vocabularyFiles
    case .normalization, .scoreCalibration, .scoreThresholding, .unknown: []
    }
  }

  /// The version of the schema that brought the unit.
  fileprivate var parserVersion: (Int, Int, Int) {
    switch self {
    case .normalization, .scoreCalibration, .scoreThresholding, .unknown: (1, 0, 0)
    case .bertTokenizer, .sentencePieceTokenizer: (1, 1, 0)
    case .regexTokenizer: (1, 2, 1)
    }
  }
}
