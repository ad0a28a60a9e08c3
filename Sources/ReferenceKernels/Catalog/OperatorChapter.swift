// SPDX-License-Identifier: Apache-2.0

/// The folder of `Sources/ReferenceKernels/Operators` that an operator's file lies in.
package enum OperatorChapter: String, Sendable, CaseIterable {
  case control = "Control"
  case convolution = "Convolution"
  case custom = "Custom"
  case elementwise = "Elementwise"
  case indexing = "Indexing"
  case layout = "Layout"
  case matrix = "Matrix"
  case normalization = "Normalization"
  case pooling = "Pooling"
  case quantization = "Quantization"
  case random = "Random"
  case reduction = "Reduction"
  case resize = "Resize"
  case sequence = "Sequence"
  case signal = "Signal"
  case stablehlo = "Stablehlo"
  case strings = "Strings"
  case tensorFlow = "TensorFlow"
  case text = "Text"
  case variables = "Variables"

  /// The path of a file of the chapter, from the package's folder on, by its `#fileID`, which is
  /// the module's name, a slash and the file's name.
  package func path(of fileID: String) -> String {
    "Sources/ReferenceKernels/Operators/\(rawValue)\(fileID.drop { $0 != "/" })"
  }
}
