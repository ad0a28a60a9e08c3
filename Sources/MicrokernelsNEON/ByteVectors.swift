// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  internal import Microkernels

  /// 16 bytes; whether words or bytes are multiplied is in `ByteDot.swift`.
  protocol BytePrimitives: Bytes128, ByteLanes128, ByteConversions128 {}
#endif
