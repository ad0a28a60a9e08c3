// OptimizedKernels
