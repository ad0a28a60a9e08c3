// Tensors
