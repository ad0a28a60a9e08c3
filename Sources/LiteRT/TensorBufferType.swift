// SPDX-License-Identifier: Apache-2.0

/// Where the values of a buffer lie, with the numbers of LiteRT's C API (`litert_tensor_buffer_types.h`).
///
/// Here they lie in the memory of the processor, `hostMemory`; other buffers cannot be made.
public enum TensorBufferType: Int32, Sendable {
  case unknown = 0
  case hostMemory = 1
  case ahwb = 2
  case ion = 3
  case dmaBuf = 4
  case fastRpc = 5
  case glBuffer = 6
  case glTexture = 7
  case openClBuffer = 10
  case openClBufferFp16 = 11
  case openClTexture = 12
  case openClTextureFp16 = 13
  case openClBufferPacked = 14
  case openClImageBuffer = 15
  case openClImageBufferFp16 = 16
  case webGpuBuffer = 20
  case webGpuBufferFp16 = 21
  case webGpuTexture = 22
  case webGpuTextureFp16 = 23
  case webGpuImageBuffer = 24
  case webGpuImageBufferFp16 = 25
  case webGpuBufferPacked = 26
  case metalBuffer = 30
  case metalBufferFp16 = 31
  case metalTexture = 32
  case metalTextureFp16 = 33
  case metalBufferPacked = 34
  case vulkanBuffer = 40
  case vulkanBufferFp16 = 41
  case vulkanTexture = 42
  case vulkanTextureFp16 = 43
  case vulkanImageBuffer = 44
  case vulkanImageBufferFp16 = 45
  case vulkanBufferPacked = 46
}

/// What a locked buffer is used for.
public enum TensorBufferLockMode: Sendable {
  /// Its values are read.
  case read
  /// All of its values are written.
  case write
  /// Its values are read and written.
  case readWrite
}

/// What a buffer for an input or output needs.
public final class TensorBufferRequirements: Sendable {
  /// Bytes.
  public let bufferSize: Int

  init(bufferSize: Int) { self.bufferSize = bufferSize }

  /// What the address is a multiple of, in bytes.
  public var alignment: Int { TensorBuffer.alignment }

  /// Where values may lie, best first.
  public var supportedTypes: [TensorBufferType] { [.hostMemory] }

  /// Elements from one index of a dimension to the next; empty for row-major order without gaps.
  public var strides: [Int] { [] }
}
