// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Stands in for Firebase's package: targets and a product of its names, and nothing in them.
let package = Package(
  name: "Firebase",
  products: [.library(name: "FirebaseMLModelDownloader", targets: ["FirebaseMLModelDownloader"])],
  targets: [
    .target(name: "Firebase"),
    .target(name: "FirebaseMLModelDownloader", dependencies: ["Firebase"]),
  ])
