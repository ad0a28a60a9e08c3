// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// One of both packages is in the graph, by the system that builds. Sources do not differ.
#if os(Linux)
  let firebase = Package.Dependency.package(name: "martlet", path: "../../..")
  let owner = "martlet"
#else
  let firebase = Package.Dependency.package(path: "../firebase-ios-sdk")
  let owner = "firebase-ios-sdk"
#endif

let package = Package(
  name: "app",
  platforms: [.macOS(.v26), .iOS(.v26)],
  dependencies: [firebase],
  targets: [
    .executableTarget(
      name: "App", dependencies: [.product(name: "FirebaseMLModelDownloader", package: owner)])
  ])
