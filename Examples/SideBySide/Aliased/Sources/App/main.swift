// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import MartletModelDownloader
#else
  import FirebaseMLModelDownloader
#endif

print(String(reflecting: type(of: ModelDownloader.modelDownloader())))
