// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Products of a recurrent cell that another module computes, with the results of `Base`.
///
/// A loop over products of a type that this module does not know would not be compiled for it, and
/// reach every element through protocols. Here only the products are called, as closures.
package struct ProvidedProducts<Base: CellProducts>: CellProducts {
  package typealias Quantized = Base.Quantized

  /// What stores a vector as `CellProducts.encode` does.
  package typealias Encoding =
    @Sendable (Span<Float>, inout MutableSpan<Base.Quantized>) -> Affine
  /// What multiplies as `CellProducts.multiply` does: the product, its tensors, the vector, its
  /// quantized values and the bias, to the result.
  package typealias Multiplication =
    @Sendable (
      CellProduct, borrowing TensorFrame, Span<Float>, Span<Base.Quantized>, Span<Float>,
      inout MutableSpan<Float>
    ) -> Void

  /// What applies a function as `CellProducts.apply` does.
  package typealias Application =
    @Sendable (CellFunction, inout MutableSpan<Float>) -> Bool

  private let base: Base
  private let encoding: Encoding
  private let multiplication: Multiplication
  private let application: Application

  /// Products instead of those of `base`.
  package init(
    _ base: Base, encode encoding: @escaping Encoding,
    multiply multiplication: @escaping Multiplication, apply application: @escaping Application
  ) {
    self.base = base
    self.encoding = encoding
    self.multiplication = multiplication
    self.application = application
  }

  package static var isHybrid: Bool { Base.isHybrid }

  @_lifetime(quantizedValues: copy quantizedValues)
  package func encode(
    _ vector: Span<Float>, into quantizedValues: inout MutableSpan<Base.Quantized>
  ) -> Affine {
    encoding(vector, &quantizedValues)
  }

  package func dequantization(of vector: Affine, input: Affine, weights position: Int) -> Affine {
    base.dequantization(of: vector, input: input, weights: position)
  }

  /// Multiplies; the steps are not told.
  @_lifetime(result: copy result)
  package func multiply<S: Steps>(
    _ product: CellProduct, _ frame: borrowing TensorFrame, _ vector: Span<Float>,
    as quantizedValues: Span<Base.Quantized>, bias: Span<Float>,
    to result: inout MutableSpan<Float>, _ steps: inout S, about: (Int, inout S) -> Void
  ) {
    multiplication(product, frame, vector, quantizedValues, bias, &result)
  }

  package func real(_ quantized: Base.Quantized, at position: Int) -> Float {
    base.real(quantized, at: position)
  }

  @_lifetime(values: copy values)
  package func apply(_ function: CellFunction, to values: inout MutableSpan<Float>) -> Bool {
    application(function, &values)
  }
}

// Compiled for both kinds of products, so that the loops are.

extension FloatLSTMLoop {
  /// The kernel of the same cell with provided products.
  @_specialize(where Products == FloatCellProducts)
  @_specialize(where Products == HybridCellProducts)
  package func kernel(with products: ProvidedProducts<Products>) -> any Kernel {
    LoopKernel(with(products))
  }
}

extension RNNLoop {
  /// The kernel of the same cell with provided products.
  @_specialize(where Products == FloatCellProducts)
  @_specialize(where Products == HybridCellProducts)
  package func kernel(with products: ProvidedProducts<Products>) -> any Kernel {
    LoopKernel(with(products))
  }
}

extension BothDirections {
  /// The kernel of the same cells with provided products.
  @_specialize(where Cell == FloatLSTMLoop<FloatCellProducts>, Products == FloatCellProducts)
  @_specialize(where Cell == FloatLSTMLoop<HybridCellProducts>, Products == HybridCellProducts)
  package func kernel<Products>(with products: ProvidedProducts<Products>) -> any Kernel
  where Cell == FloatLSTMLoop<Products> {
    LoopKernel(
      BothDirections<FloatLSTMLoop<ProvidedProducts<Products>>>(
        forward: forward.with(products), backward: backward.with(products)))
  }

  /// The kernel of the same cells with provided products.
  @_specialize(where Cell == RNNLoop<FloatCellProducts>, Products == FloatCellProducts)
  @_specialize(where Cell == RNNLoop<HybridCellProducts>, Products == HybridCellProducts)
  package func kernel<Products>(with products: ProvidedProducts<Products>) -> any Kernel
  where Cell == RNNLoop<Products> {
    LoopKernel(
      BothDirections<RNNLoop<ProvidedProducts<Products>>>(
        forward: forward.with(products), backward: backward.with(products)))
  }
}
