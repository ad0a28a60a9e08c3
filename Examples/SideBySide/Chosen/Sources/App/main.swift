// SPDX-License-Identifier: Apache-2.0

import FirebaseMLModelDownloader

print(String(reflecting: type(of: ModelDownloader.modelDownloader())))
