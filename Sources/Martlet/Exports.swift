// SPDX-License-Identifier: Apache-2.0

@_exported public import FlatBuffers
@_exported public import MetadataFormat
@_exported public import ModelFormat
@_exported public import ModelParts
@_exported public import OptimizedKernels
@_exported public import ReferenceKernels
@_exported public import ResourceLimits
@_exported public import Tensors
