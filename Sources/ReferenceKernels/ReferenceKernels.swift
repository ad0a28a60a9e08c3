// ReferenceKernels
