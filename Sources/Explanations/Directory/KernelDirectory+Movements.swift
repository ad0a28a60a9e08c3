// SPDX-License-Identifier: Apache-2.0

extension KernelDirectory {
  /// Where kernels are written that compute by moving and looking up elements.
  static let movements = """
    Operators/Layout/BoxCopy.swift
      BoxCopy
        output[to + Σ iₐ · outputStrideₐ] = input[from + Σ iₐ · inputStrideₐ],   0 ≤ iₐ < lengthₐ
    Operators/Layout/BoxCopyKernel.swift
      BoxCopies
      BoxCopyLoop
    Operators/Layout/Concatenation.swift
      JoinedAxis
      RescalingConcatenationKernel
      RescalingTable
        q' = round(q · s + b) + z_y,   s = s_x · (1 / s_y),   b = −z_x · s
    Operators/Layout/MirrorPad.swift
      MirroredAxis
      Mirroring
      MirrorPadLoop
    Operators/Layout/NumberRange.swift
      RangeLoop
    Operators/Layout/PackedElementsKernel.swift
      PackedElementsKernel
    Operators/Layout/Repeat.swift
      BroadcastArgumentsLoop
    Operators/Layout/Reshape.swift
      BytesKernel
    Operators/Layout/Reverse.swift
      SequenceLoops
      SequenceReversal
      ReverseSequenceLoop
    Operators/Layout/ShapeAndRank.swift
      ConstantLoop
    Operators/Layout/SpaceAndBatch.swift
      BlockGrid
      BatchSpreading
      BatchGathering
      SpaceToBatchLoop
      BatchToSpaceLoop
    Operators/Layout/StringMovementKernel.swift
      StringMovementKernel
    Operators/Indexing/Bucketize.swift
      BucketNumber
    Operators/Indexing/DynamicUpdateSlice.swift
      BoxUpdate
      DynamicUpdateSliceLoop
    Operators/Indexing/EmbeddingLookup.swift
      TableRows
      RowCopies
      CopiedRowsLoop
      RowScales
      DequantizedRowsLoop
        y[j, i] = s[lookup[j], i / block] · table[lookup[j], i]
    Operators/Indexing/EmbeddingLookupSparse.swift
      EmbeddingSumLoop
    Operators/Indexing/Gather.swift
      GatheredRows
      Gathering
      GatherLoop
    Operators/Indexing/GatherNd.swift
      IndexedSlices
      SliceGathering
      GatherNdLoop
    Operators/Indexing/HashtableLookup.swift
      FoundRows
      HashtableLookupLoop
    Operators/Indexing/LSHProjection.swift
      LSHProjectionLoop
    Operators/Indexing/NonMaxSuppression.swift
      NonMaxSuppressionKernel
    Operators/Indexing/OneHot.swift
      HotSpots
      OneHotLoop
    Operators/Indexing/ScatterNd.swift
      ScatterNdLoop
    Operators/Indexing/SparseToDense.swift
      Placement
      SparseToDenseLoop
    Operators/Indexing/Unique.swift
      ConstantPairLoop
    """
}
