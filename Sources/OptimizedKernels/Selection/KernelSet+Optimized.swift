// SPDX-License-Identifier: Apache-2.0

package import Microkernels
package import ReferenceKernels
import Tensors

extension KernelSet {
  /// The reference kernels with every optimized kernel there is.
  public static let optimized = optimized(for: .selected)

  /// The set whose optimized kernels use the microkernels of one instruction-set level.
  package static func optimized(for set: MicrokernelSet) -> KernelSet {
    KernelSet(
      "optimized", KernelTable().replacingKernels(set),
      families: KernelFamilies { KernelTable(of: $0, set) }
    ).fusingNodes()
  }
}

extension KernelTable {
  /// The table with optimized kernels for kernels that are of no family.
  fileprivate func replacingKernels(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(HybridBatchMatMulKernel.self) {
        HybridMatrices($0, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(LogSoftmaxKernel.self) { kernel, node, _ in
        FloatLogSoftmax(kernel, node, set).map { OptimizedKernel($0) }
      }
      .replacing(L2NormalizationKernel.self) { kernel, node, _ in
        FloatL2Normalization(kernel, node, set).map { OptimizedKernel($0) }
      }
      .replacing(RescalingConcatenationKernel.self) { kernel, _, _ in
        OptimizedKernel(RescaledRuns(kernel, set))
      }
      .replacing(DetectionPostProcessKernel.self) { kernel, _, _ in
        FastDetections(kernel).map { OptimizedKernel($0) }
      }
      .replacing(IntegerLSTM.self) {
        IntegerCells($0, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
  }

  /// The optimized kernels for loops of `family`.
  package init(of family: LoopFamily, _ set: MicrokernelSet) {
    let (table, element) = (KernelTable(family: family), family.element)
    self =
      switch family.kind {
      case .products: table.replacingProducts(of: element, set)
      case .hybridProducts: element == .int8 ? table.replacingHybridProducts(set) : table
      case .binary: table.replacingBinary(of: element, set)
      case .unary: table.replacingUnary(of: element, set)
      case .function(let function):
        element == .float32 ? table.replacing(function: function, set) : table
      case .quantization: table.replacingQuantizations(of: element, set)
      case .cast: table.replacingCasts(of: element, set)
      case .pool: table.replacingPools(of: element, set)
      case .reduction: table.replacingReductions(of: element, set)
      case .search: table.replacingSearches(of: element, set)
      case .normalization: table.replacingNormalizations(of: element, set)
      case .movement: table.replacingMovements(of: element)
      case .interpolation: table.replacingInterpolations(of: element, set)
      case .recurrent: table.replacingCells(of: element, set)
      case .spectrum: element == .float32 ? table.replacingSpectra(set) : table
      }
  }

  private func replacingSpectra(_ set: MicrokernelSet) -> KernelTable {
    replacing(loop: Rfft2DLoop.self) { kernel, _, _ in
      FourierImages(kernel.loop, set).map { OptimizedKernel($0) }
    }
  }
}
