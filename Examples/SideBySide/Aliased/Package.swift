// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Both packages are in the graph; Martlet's modules of the same names get others here.
let package = Package(
  name: "app",
  platforms: [.macOS(.v26), .iOS(.v26)],
  dependencies: [
    .package(name: "martlet", path: "../../.."), .package(path: "../firebase-ios-sdk"),
  ],
  targets: [
    .executableTarget(
      name: "App",
      dependencies: [
        .product(
          name: "FirebaseMLModelDownloader", package: "martlet",
          moduleAliases: [
            "Firebase": "MartletFirebase", "FirebaseMLModelDownloader": "MartletModelDownloader",
          ], condition: .when(platforms: [.linux])),
        .product(
          name: "FirebaseMLModelDownloader", package: "firebase-ios-sdk",
          condition: .when(platforms: [.macOS, .iOS])),
      ])
  ])
