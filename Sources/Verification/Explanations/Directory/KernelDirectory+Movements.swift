// SPDX-License-Identifier: Apache-2.0

extension KernelDirectory {
  /// Where kernels are written that compute by moving and looking up elements.
  static let movements = """
    Operators/Layout/Bitcast.swift
      Bitcast
    Operators/Layout/BoxCopy.swift
      BoxCopy
        output[to + Σ iₐ · outputStrideₐ] = input[from + Σ iₐ · inputStrideₐ],   0 ≤ iₐ < lengthₐ
    Operators/Layout/BoxCopyKernel.swift
      BoxCopies
      BoxCopyLoop
    Operators/Layout/Concatenation.swift
      Concatenation
      Pack
      JoinedAxis
      RescalingConcatenationKernel
      RescalingTable
        q' = round(q · s + b) + z_y,   s = s_x · (1 / s_y),   b = −z_x · s
    Operators/Layout/Dilate.swift
      Dilate
        y[i · d…] = x[i…],   elsewhere the padding value
    Operators/Layout/Fill.swift
      Fill
      ZerosLike
    Operators/Layout/MatrixDiagonal.swift
      MatrixDiagonal
      MatrixSetDiagonal
    Operators/Layout/MirrorPad.swift
      MirrorPad
      MirroredAxis
      Mirroring
      MirrorPadLoop
    Operators/Layout/NumberRange.swift
      NumberRange
        y = [start, start + delta, start + 2 delta, …],   ⌈(limit − start) / delta⌉ of them
      RangeLoop
    Operators/Layout/PackedElementsKernel.swift
      PackedElementsKernel
    Operators/Layout/Pad.swift
      Pad
    Operators/Layout/Repeat.swift
      Tile
      BroadcastTo
      BroadcastArguments
      BroadcastArgumentsLoop
    Operators/Layout/Reshape.swift
      Reshape
      Squeeze
      ExpandDims
      BytesKernel
    Operators/Layout/Reverse.swift
      Reverse
      ReverseSequence
        y[…, t, …] = x[…, n − 1 − t, …] for t < n, else x[…, t, …],   n = lengths[b]
      SequenceLoops
      SequenceReversal
      ReverseSequenceLoop
    Operators/Layout/ShapeAndRank.swift
      ShapeOf
      RankOf
      ConstantLoop
    Operators/Layout/SpaceAndBatch.swift
      SpaceToBatch
        y[(i·s_w + j)·batch + b, r, c] = padded x[b, r·s_h + i, c·s_w + j]
      BatchToSpace
        y[b, r, c] = x[(i·s_w + j)·batch + b, R / s_h, C / s_w],   i = R mod s_h, j = C mod s_w
      BlockGrid
      BatchSpreading
      BatchGathering
      SpaceToBatchLoop
      BatchToSpaceLoop
    Operators/Layout/Split.swift
      Split
      SplitV
      Unpack
    Operators/Layout/StringMovementKernel.swift
      StringMovementKernel
    Operators/Layout/Transpose.swift
      Transpose
        y[i₀, i₁, …] = x[…],   axis k of y is axis permutation[k] of x
      DepthToSpace
        y[b, r·s + i, c·s + j, k] = x[b, r, c, (i·s + j)·depth + k],   s the block size
      SpaceToDepth
        y[b, r, c, (i·s + j)·depth + k] = x[b, r·s + i, c·s + j, k],   s the block size
    Operators/Indexing/Bucketize.swift
      Bucketize
        y = number of boundaries b ≤ x
      BucketNumber
    Operators/Indexing/DynamicUpdateSlice.swift
      DynamicUpdateSlice
      BoxUpdate
      DynamicUpdateSliceLoop
    Operators/Indexing/EmbeddingLookup.swift
      EmbeddingLookup
        y[j, i…] = table[lookup[j], i…]
      TableRows
      RowCopies
      CopiedRowsLoop
      RowScales
      DequantizedRowsLoop
        y[j, i] = s[lookup[j], i / block] · table[lookup[j], i]
    Operators/Indexing/EmbeddingLookupSparse.swift
      EmbeddingLookupSparse
        y[p…, i…] = Σ w[j] · table[id[j], i…] / n[p…]   over all j with indices[j] = (p…, any)
      EmbeddingSumLoop
    Operators/Indexing/Gather.swift
      Gather
        y[b…, o…, j…, i…] = x[b…, o…, indices[b…, j…], i…]
      GatheredRows
      Gathering
      GatherLoop
    Operators/Indexing/GatherNd.swift
      GatherNd
        y[j…, i…] = x[indices[j…, 0], indices[j…, 1], …, i…]
      IndexedSlices
      SliceGathering
      GatherNdLoop
    Operators/Indexing/HashtableLookup.swift
      HashtableLookup
        y[j, i…] = values[k, i…] where keys[k] = lookup[j], else 0;   hit[j] = 1, else 0
      FoundRows
      HashtableLookupLoop
    Operators/Indexing/LSHProjection.swift
      LSHProjection
        bit[i, j] = 1 where Σ over k of w[k] · fingerprint(seed[i, j], x[k]) > 0, else 0
      LSHProjectionLoop
    Operators/Indexing/NonMaxSuppression.swift
      NonMaxSuppression
        overlap = common area / (sum of areas − common area)
      NonMaxSuppressionKernel
    Operators/Indexing/OneHot.swift
      OneHot
      HotSpots
      OneHotLoop
    Operators/Indexing/ScatterNd.swift
      ScatterNd
        y[indices[j…, 0], indices[j…, 1], …, i…] += updates[j…, i…]
      ScatterNdLoop
    Operators/Indexing/Slice.swift
      Slice
    Operators/Indexing/SparseToDense.swift
      SparseToDense
        y[indices[j, 0], indices[j, 1], …] = values[j],   elsewhere the default
      Placement
      SparseToDenseLoop
    Operators/Indexing/StridedSlice.swift
      StridedSlice
    Operators/Indexing/Unique.swift
      Unique
        x[i] = y[index[i]]
      ConstantPairLoop
    Operators/Indexing/Where.swift
      Where
    """
}
