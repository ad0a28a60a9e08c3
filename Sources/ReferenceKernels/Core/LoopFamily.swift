// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Loops of one kind that read elements of one type.
///
/// A program describes a generic type when it first uses it. By its family, which needs no
/// description, optimized kernels for a loop are found without describing the loops of all others.
public struct LoopFamily: Sendable, Hashable {
  /// What loops of a family do.
  package enum Kind: Sendable, Hashable {
    /// Sums of products: convolutions, and products of matrices.
    case products
    /// Sums of products of activations that are quantized in the run.
    case hybridProducts
    /// Element-wise arithmetic of two operands.
    case binary
    /// Element-wise arithmetic of one operand.
    case unary
    /// A function of real numbers, element by element.
    case function(Function)
    /// Conversions of quantized values to real numbers, and back.
    case quantization
    /// Conversions of plain numbers.
    case cast
    /// What becomes of the elements in a window.
    case pool
    /// Sums, products, means and extremes along axes.
    case reduction
    /// Positions of extremes, and the greatest elements.
    case search
    /// Softmax, its logarithm and L2 normalization of rows.
    case normalization
    /// Copies of elements, whatever they stand for, to other places.
    case movement
    /// Images whose pixels are interpolated.
    case interpolation
    /// Cells with a state.
    case recurrent
    /// Spectra.
    case spectrum
  }

  /// Functions of real numbers that are told apart.
  package enum Function: Sendable, Hashable, CaseIterable {
    case ceiling, cosine, exponential, exponentialLinearUnit, floor, gelu, hardSwish, logarithm
    case logistic, magnitude, nearest, negation, reciprocalSquareRoot, sine, square, squareRoot,
      tanh
  }

  /// What the loops do.
  package let kind: Kind
  /// The elements that the loops read first; of cells, weights; of conversions, what is or becomes
  /// quantized; of movements, units of as many bytes as the elements have.
  package let element: ElementType

  /// Loops of `kind` over elements of type `element`.
  package init(_ kind: Kind, _ element: ElementType) {
    self.kind = kind
    self.element = element
  }
}
