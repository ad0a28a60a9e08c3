// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Each of the flags behind the option that hands it on.
func each(_ option: String, _ flags: String...) -> [String] { flags.flatMap { [option, $0] } }

/// For every target without settings of its own; see Docs/Performance.md.
let strict: [SwiftSetting] = [
  .unsafeFlags(
    each(
      "-Xfrontend", "-disable-implicit-string-processing-module-import", "-function-sections",
      "-disable-preallocated-instantiation-caches", "-disable-autolink-library",
      "swift_StringProcessing", "-disable-autolink-library", "swift_RegexParser",
      "-disable-concrete-type-metadata-mangled-name-accessors")),
  .unsafeFlags(
    each("-Xfrontend", "-gline-tables-only", "-disable-autolink-library", "swiftSwiftOnoneSupport"),
    .when(configuration: .release)),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

/// The target of one instruction-set level (Docs/Decisions/0007-one-text-per-microkernel.md), which `only` this
/// architecture has; compiled as a whole in debug builds too, as vectors are inlined across files.
func level(_ name: String, at: String? = nil, only: String? = nil, _ flags: String...) -> Target {
  let common = [
    "-O", "-wmo", "-disable-batch-mode", "-num-threads", "1", "-Xfrontend", "-gnone",
    "-enforce-exclusivity=unchecked", "-Xllvm", "-unroll-threshold=1000", "-Xcc",
    "-Qunused-arguments",
  ]
  var all = strict
  if let only { all.append(.define("ONLY_" + only.uppercased())) }
  all.append(.unsafeFlags(common + flags.flatMap { own($0, of: only ?? "") }))
  return .target(name: name, dependencies: ["CAMX", "Microkernels"], path: at, swiftSettings: all)
}

/// What gives clang a flag for one architecture; `aarch64` is what others than Apple call `arm64`.
func own(_ flag: String, of architecture: String) -> [String] {
  #if compiler(>=6.3)
    let names = architecture == "arm64" ? ["arm64", "aarch64"] : [architecture]
    return names.flatMap { ["-Xcc", "-Xarch_\($0)", "-Xcc", flag] }
  #else
    // The clang of Swift 6.2 knows `-Xarch` for Apple's systems alone.
    #if arch(arm64)
      let host = "arm64"
    #else
      let host = "x86_64"
    #endif
    return architecture == Context.environment["MARTLET_ARCHITECTURE"] ?? host
      ? ["-Xcc", flag] : []
  #endif
}

/// Has the linker take Swift's libraries in, and lay functions that a start executes side by side.
let linked =
  ["-static-stdlib", "-use-ld=lld"]
  + each(
    "-Xlinker", "-z", "nostart-stop-gc", "--no-warn-symbol-ordering",
    "--symbol-ordering-file=\(Context.packageDirectory)/Sources/MartletCLI/function-order.txt")

extension Target {
  /// The target in the folder of this name in `Sources`, or in another one.
  static func module(
    _ name: String, at path: String? = nil, exclude: [String] = [], _ dependencies: Dependency...
  ) -> Target { .target(name: name, dependencies: dependencies, path: path, exclude: exclude) }

  /// The program in the folder of this name in `Examples`, or in another one.
  static func program(
    _ name: String, at path: String? = nil, exclude: [String] = [], on dependencies: Dependency...
  ) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: path ?? "Examples/\(name)", exclude: exclude)
  }

  /// The tests in the folder of this name.
  static func tests(
    _ name: String, exclude: [String] = [], on dependencies: Dependency...
  ) -> Target { .testTarget(name: name, dependencies: dependencies, exclude: exclude) }
}

let levels = [
  level("MicrokernelsPortable"),
  level("MicrokernelsBaseline", only: "x86_64"),
  level("MicrokernelsX86V3", only: "x86_64", "-march=x86-64-v3"),
  level("MicrokernelsX86VNNI", only: "x86_64", "-march=x86-64-v3", "-mavxvnni"),
  level("MicrokernelsX86V4", only: "x86_64", "-march=x86-64-v4", "-mavx512vnni"),
  level("MicrokernelsX86AMX", only: "x86_64", "-march=x86-64-v4", "-mavx512vnni", "-mamx-int8"),
  level("MicrokernelsX86VBMI", only: "x86_64", "-march=x86-64-v4", "-mavx512vbmi"),
  level("MicrokernelsNEON", only: "arm64"),
  level("MicrokernelsNEONDot", only: "arm64", "-march=armv8.2-a+dotprod"),
  level("MicrokernelsNEONI8MM", only: "arm64", "-march=armv8.2-a+dotprod+i8mm"),
]

/// Targets that only read options and write text; see Docs/Decisions/0012-what-is-not-optimized.md.
let unoptimized: Set = [
  "AuditReports", "FetchCommands", "ImageCommands", "MetadataDocuments", "MetadataFormat",
  "ModelChecks", "ModelCommands", "ModelHosting", "ModelParts", "ModelPublishing", "ModelSummaries",
  "TaskCommands",
]

/// Targets with loops: `MARTLET_SMALL` has all others compiled for size, tests are not optimized.
let fast: Set = [
  "AudioCodecs", "AudioProcessing", "ImageCodecs", "Imaging", "Martlet", "OptimizedKernels",
  "ReferenceKernels", "Tensors", "HostileInputTests", "ImageTests", "KernelTests", "MartletTests",
  "TensorsTests", "TokenizerTests", "VisionTasksTests",
]
let onFoundation: Set = [
  "AppleCompatibility", "LiteRT", "MLKit", "MediaPipeTasksAudio", "MediaPipeTasksCommon",
  "MediaPipeTasksText", "MediaPipeTasksVision", "ModelHosting", "TensorFlowLite",
]
let libraries =
  ["Martlet", "AudioTasks", "TextTasks", "VisionTasks", "Verification", "AuditReports"]
  + onFoundation.sorted()

/// The names under which code for ML Kit and Firebase ML imports parts of `MLKit`.
let mlKitModules = [
  "Firebase", "FirebaseMLModelDownloader", "FirebaseMLCommon", "FirebaseMLModelInterpreter",
  "FirebaseMLVision", "FirebaseMLVisionAutoML", "MLKitCommon", "MLKitVision",
  "MLKitObjectDetection", "MLKitObjectDetectionCommon", "MLKitObjectDetectionCustom",
  "MLKitImageLabelingCommon", "MLKitImageLabelingCustom", "MLKitLinkFirebase",
]

let package = Package(
  name: "martlet",
  platforms: [.macOS(.v26), .iOS(.v26)],  // The first whose standard library has `Array.span`.
  products: [
    .executable(name: "martlet", targets: ["MartletCLI"]),
    .executable(name: "martlet-fetch", targets: ["MartletFetch"]),
  ] + (libraries + mlKitModules).map { .library(name: $0, targets: [$0]) },
  traits: [
    .default(enabledTraits: ["Networking"]),
    .trait(name: "Networking", description: "Downloads of models, by FoundationNetworking."),
  ],
  targets: [
    .systemLibrary(name: "CProcessors"), .systemLibrary(name: "CAMX"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // A model file as Swift values.
    .module("ResourceLimits"), .module("FlatBuffers", "ResourceLimits"),
    .target(name: "CPrivacyManifest", resources: [.copy("PrivacyInfo.xcprivacy")]),
    .module("Tensors"), .module("TemporaryFiles"),
    .module("Compression", "CZlib", "ResourceLimits"),
    .module("ModelSchema", exclude: ["Schema/model.fbs"], "FlatBuffers", "Tensors"),
    .module(
      "ModelFormat", "FlatBuffers", "Tensors", "Compression", "Formatting", "ModelSchema",
      "ResourceLimits"),
    .module("MetadataFormat", "Compression", "FlatBuffers", "ModelFormat", "ResourceLimits"),
    .module("ModelParts", "FlatBuffers", "ModelFormat", "Tensors"),
    // Arithmetic.
    .module("ReferenceKernels", "FlatBuffers", "Protobuf", "Tensors", "ModelSchema"),
    .module("Microkernels"),
    .target(
      name: "OptimizedKernels",
      dependencies: ["CProcessors", "Tensors", "ReferenceKernels", "Microkernels"]
        + levels.map { .target(name: $0.name) }),
    // The engine.
    .module(
      "Martlet", "CPrivacyManifest", "FlatBuffers", "MetadataFormat", "ModelFormat", "ModelParts",
      "OptimizedKernels", "ReferenceKernels", "ResourceLimits", "Tensors"),
    // What tasks of all kinds share.
    .module(
      "ModelTasks", "Compression", "FlatBuffers", "Formatting", "Martlet", "MetadataFormat",
      "ModelFormat", "ResourceLimits", "Tensors"),
    // Texts, images and sounds.
    .module("Protobuf"),
    // It waits for what kernels wait for: those take longest, and are to begin first.
    .module(
      "Tokenizers", exclude: ["WordPiece/make_decompositions.py"], "ModelSchema", "Protobuf"),
    .module("TextTasks", "Martlet", "MetadataFormat", "ModelTasks", "Tensors", "Tokenizers"),
    .module("ImageCodecs", "Compression", "ResourceLimits"),
    .module("Imaging", "ImageCodecs"),
    .module("Tracking", "Imaging"),
    .module("Landmarks", "Imaging"),
    .module("RecognitionScores", "Imaging"),
    .module(
      "ImageInputs", "ImageCodecs", "Imaging", "JSONDocuments", "Martlet", "ModelTasks", "Tensors"),
    .module(
      "VisionTasks", "FlatBuffers", "Formatting", "ImageCodecs", "ImageInputs", "Imaging",
      "Landmarks", "Martlet", "MetadataFormat", "ModelFormat", "ModelTasks", "Protobuf",
      "RecognitionScores", "ReferenceKernels", "Tensors", "Tracking"),
    .module("AudioCodecs", "ResourceLimits"),
    .module("AudioProcessing", "AudioCodecs", "ResourceLimits"),
    .module(
      "AudioTasks", "AudioCodecs", "AudioProcessing", "BundledModels", "Martlet", "MetadataFormat",
      "ModelTasks", "Tensors"),
    // Models from a host.
    .module("ModelPublishing", "Compression", "Formatting", "JSONDocuments", "TemporaryFiles"),
    .module("ModelHosting", "CPrivacyManifest", "Compression", "Formatting", "ModelPublishing"),
    // The interfaces of others.
    .module(
      "MLKit", "AppleCompatibility", "BundledModels", "ImageCodecs", "Imaging", "Martlet",
      "ModelHosting", "ResourceLimits", "VisionTasks"),
    .module("AppleCompatibility", "CPrivacyManifest", "Imaging", "ImageCodecs", "Tensors"),
    .module("LiteRT", "Martlet"),
    .module("MediaPipeTasksCommon", "Martlet", "ModelTasks"),
    .module("MediaPipeTasksAudio", "AudioTasks", "MediaPipeTasksCommon", "ModelTasks"),
    .module("MediaPipeTasksText", "MediaPipeTasksCommon", "ModelTasks", "TextTasks"),
    .module(
      "MediaPipeTasksVision", "AppleCompatibility", "Imaging", "Landmarks", "Martlet",
      "MediaPipeTasksCommon", "ModelTasks", "VisionTasks"),
    .module("TensorFlowLite", "Martlet", "ResourceLimits"),
    // See Docs/Decisions/0010-pages-are-resources.md.
    .target(name: "CPageResources", sources: ["resources.c"]),
    .module("PageResources", "CPageResources"),
    // Values as text, arrays and documents.
    .module("Formatting"),
    .module("JSONDocuments", "Formatting"),
    .module("FileAccess", "Compression", "ResourceLimits", "TemporaryFiles"),
    .module("MetadataDocuments", "JSONDocuments", "MetadataFormat"),
    .module("Npy", "Compression", "FileAccess", "JSONDocuments", "ResourceLimits", "Tensors"),
    .module("InferenceRequests", "JSONDocuments", "Npy", "Tensors"),
    // What models are and what their runs show.
    .module(
      "ModelSummaries", "JSONDocuments", "Martlet", "ModelFormat", "ReferenceKernels", "Tensors"),
    .module(
      "ModelChecks", "AudioTasks", "Compression", "Formatting", "JSONDocuments", "Martlet",
      "ModelFormat", "ModelTasks", "ReferenceKernels", "ResourceLimits", "Tensors", "TextTasks",
      "VisionTasks"),
    .module(
      "GoldenCases", "Compression", "FileAccess", "Formatting", "JSONDocuments", "Martlet",
      "ModelFormat", "Npy", "OptimizedKernels", "ResourceLimits", "Tensors"),
    .module("Traces", "Formatting", "JSONDocuments", "Martlet", "ModelFormat", "Npy", "Tensors"),
    .module(
      "RunComparisons", "FileAccess", "JSONDocuments", "Martlet", "ModelFormat", "Npy",
      "OptimizedKernels", "ReferenceKernels", "Tensors", "Traces"),
    .module("Derivations", "ModelFormat", "PageResources", "ReferenceKernels", "Tensors"),
    .module(
      "Explanations", "Derivations", "JSONDocuments", "Martlet", "ModelFormat", "ReferenceKernels",
      "Tensors"),
    .module(
      "LiveKernels", exclude: ["Freestanding", "README.md", "compare.js"], "Compression",
      "Derivations", "FlatBuffers", "Formatting", "Martlet", "ModelFormat", "PageResources",
      "ReferenceKernels", "Tensors"),
    .module(
      "Verification", "Explanations", "FileAccess", "GoldenCases", "ModelChecks", "Npy",
      "RunComparisons", "Traces"),
    // Tools.
    .module(
      "AuditFacts", "AudioTasks", "Compression", "FileAccess", "Formatting", "ImageCodecs",
      "Imaging", "Landmarks", "Martlet", "Microkernels", "ModelChecks", "ModelFormat",
      "ModelSummaries", "ModelTasks", "Npy", "OptimizedKernels", "ReferenceKernels",
      "RunComparisons", "Tensors", "TextTasks", "Traces", "VisionTasks"),
    .module("PageMarkup", "Formatting", "Imaging", "ModelFormat"),
    .module(
      "AuditReports", "AuditFacts", "Formatting", "ImageCodecs", "Imaging", "JSONDocuments",
      "LiveKernels", "Martlet", "MetadataDocuments", "MetadataFormat", "ModelChecks", "ModelFormat",
      "ModelSummaries", "ModelTasks", "OptimizedKernels", "PageMarkup", "PageResources",
      "ReferenceKernels", "RunComparisons", "Tensors", "Traces", "VisionTasks"),
    .target(
      name: "BundledModelFiles", path: "Models", sources: ["BundledModelFiles.c"],
      resources: [.copy("digits"), .copy("frontend"), .copy("localizer")], publicHeadersPath: "."),
    .module(
      "BundledModels", at: "Models",
      exclude: ["BundledModelFiles.c", "digits", "frontend", "localizer"], "BundledModelFiles"),
    .module(
      "CommandCore", "BundledModels", "FileAccess", "FlatBuffers", "Formatting", "GoldenCases",
      "ImageCodecs", "ImageInputs", "Imaging", "JSONDocuments", "Landmarks", "Martlet",
      "MetadataFormat", "ModelFormat", "ModelPublishing", "ModelTasks", "Npy", "OptimizedKernels",
      "ReferenceKernels", "ResourceLimits", "TemporaryFiles", "Tensors", "Traces"),
    .module(
      "ImageCommands", "BundledModels", "CommandCore", "Compression", "FileAccess", "Formatting",
      "GoldenCases", "ImageCodecs", "Imaging", "InferenceRequests", "JSONDocuments", "Martlet",
      "ModelFormat", "Npy", "OptimizedKernels", "ResourceLimits", "RunComparisons", "TaskCommands",
      "Tensors", "VisionTasks"),
    .module(
      "ModelCommands", "CommandCore", "Compression", "Explanations", "FileAccess", "FlatBuffers",
      "Formatting", "GoldenCases", "ImageCodecs", "Imaging", "JSONDocuments", "Martlet",
      "MetadataDocuments", "MetadataFormat", "ModelChecks", "ModelFormat", "ModelSummaries",
      "ModelTasks", "Npy", "OptimizedKernels", "ReferenceKernels", "RunComparisons", "Tensors",
      "AudioTasks", "TextTasks", "Traces", "VisionTasks"),
    .module(
      "TaskCommands", "AudioTasks", "CommandCore", "FileAccess", "Formatting", "ImageCodecs",
      "Imaging", "JSONDocuments", "Landmarks", "Martlet", "ModelTasks", "ResourceLimits",
      "TextTasks", "VisionTasks"),
    .module(
      "Commands", "AudioTasks", "AuditReports", "BundledModels", "CommandCore", "Compression",
      "FileAccess", "Formatting", "ImageCommands", "Imaging", "JSONDocuments", "Martlet",
      "Microkernels", "ModelCommands", "ModelFormat", "ModelPublishing", "ModelTasks",
      "OptimizedKernels", "TaskCommands", "Traces", "VisionTasks"),
    .executableTarget(
      name: "MartletCLI", dependencies: ["Commands"], exclude: ["function-order.txt"],
      linkerSettings: [.unsafeFlags(linked, .when(platforms: [.linux], configuration: .release))]),
    .module("FetchCommands", "CommandCore", "JSONDocuments", "Martlet", "ModelHosting"),
    .executableTarget(name: "MartletFetch", dependencies: ["FetchCommands"]),
    // Measures register tiles and the worker pool; not built for users.
    .program("KernelBenchmark", at: "Benchmarks/Kernels", on: "Microkernels", "OptimizedKernels"),
    // The code of the documents that the interfaces come from, word by word.
    .target(
      name: "DocumentSnippets",
      dependencies: [
        "Firebase", "FirebaseMLModelDownloader", "MLKitCommon", "MLKitLinkFirebase",
        "MLKitObjectDetectionCommon", "MLKitObjectDetectionCustom", "MLKitVision", "TensorFlowLite",
      ], path: "Tests/DocumentSnippets", swiftSettings: [.swiftLanguageMode(.v4_2)]),
    // Files that nobody vouches for: what is done with them, and what makes many of few.
    .module(
      "HostileInputs", at: "Tests/Fuzzing/Targets", "AudioCodecs", "BundledModels", "Commands",
      "Compression", "FileAccess", "FlatBuffers", "ImageCodecs", "JSONDocuments", "Martlet",
      "ModelChecks", "ModelFormat", "ModelHosting", "ModelTasks", "Npy", "ReferenceKernels",
      "ResourceLimits", "Tensors", "VisionTasks"),
    .program("RobustnessSweep", at: "Tests/Robustness/Sweep", on: "HostileInputs"),
    .program("ForkedRuns", at: "Tests/Robustness/Fork", on: "Martlet"),
    // Small programs to learn from; not products.
    .program("ObjectTracking", on: "BundledModels", "Imaging", "Martlet", "VisionTasks"),
    .program(
      "ImageLabeling", on: "BundledModels", "MLKitImageLabelingCommon", "MLKitImageLabelingCustom",
      "MLKitVision"),
    .program("CustomOperator", exclude: ["make_model.py", "mish.tflite"], on: "Martlet"),
    .program("ModelDownload", on: "FirebaseMLModelDownloader", "TensorFlowLite"),
    .target(
      name: "MediaPipeSnippets", dependencies: ["MediaPipeTasksText", "MediaPipeTasksVision"],
      path: "Tests/MediaPipeSnippets", swiftSettings: [.swiftLanguageMode(.v5)]),
    .module("SeededRandom", at: "Tests/SeededRandom"),
    .module("MicrokernelChecks", at: "Tests/MicrokernelChecks", "Microkernels", "SeededRandom"),
    .module(
      "TestSupport", at: "Tests/Support", "FileAccess", "FlatBuffers", "GoldenCases", "Martlet",
      "ModelSchema", "ResourceLimits", "Tensors"),
    // What processors with AVX2 and with AVX-512 can compute of levels that they do not have.
    level("VNNIEquivalent", at: "Tests/VNNIEquivalent", only: "x86_64", "-march=x86-64-v3"),
    level("AMXLoops", at: "Tests/AMXLoops", only: "x86_64", "-march=x86-64-v4", "-mavx512vnni"),
    .tests("FlatBuffersTests", on: "FlatBuffers", "ResourceLimits"),
    .tests("TensorsTests", on: "Tensors"),
    .tests(
      "ModelFormatTests", on: "Compression", "FileAccess", "FlatBuffers", "MetadataFormat",
      "ModelFormat", "ModelParts", "ResourceLimits", "Tensors", "TestSupport"),
    .tests(
      "KernelTests", on: "ReferenceKernels", "OptimizedKernels", "Tensors", "ModelSchema",
      "AMXLoops", "Microkernels", "MicrokernelChecks", "SeededRandom", "VNNIEquivalent"),
    .tests(
      "MartletTests", on: "BundledModels", "Explanations", "FileAccess", "FlatBuffers",
      "Formatting", "GoldenCases", "Martlet", "ModelFormat", "ModelSchema", "Npy",
      "OptimizedKernels", "ResourceLimits", "SeededRandom", "Tensors", "TestSupport"),
    .tests(
      "ImageTests", exclude: ["Images"], on: "ImageCodecs", "Imaging", "ResourceLimits",
      "SeededRandom", "TestSupport"),
    .tests("LandmarksTests", on: "ImageCodecs", "Imaging", "Landmarks", "TestSupport"),
    .tests(
      "AudioCodecsTests", exclude: ["Corpus"], on: "AudioCodecs", "ResourceLimits", "SeededRandom"),
    .tests(
      "AudioProcessingTests", on: "AudioProcessing", "AudioCodecs", "ResourceLimits",
      "SeededRandom"),
    .tests(
      "AudioTasksTests", exclude: ["FrontEnd"], on: "AudioTasks", "BundledModels", "FlatBuffers",
      "Martlet", "ModelSchema", "SeededRandom", "Tensors", "TestSupport"),
    .tests(
      "VisionTasksTests", exclude: ["Evaluation"], on: "VisionTasks", "Martlet", "MetadataFormat",
      "ModelFormat", "ModelTasks", "FlatBuffers", "Compression", "Imaging", "ImageCodecs",
      "SeededRandom", "TestSupport"),
    .tests("TokenizerTests", exclude: ["Goldens", "make_goldens.py"], on: "Tokenizers"),
    .tests(
      "TextTasksTests", on: "FlatBuffers", "Martlet", "MetadataFormat", "ModelSchema", "Tensors",
      "TestSupport", "TextTasks"),
    .tests("AppleCompatibilityTests", on: "AppleCompatibility", "Imaging"),
    .tests(
      "HostileInputTests", on: "Compression", "FlatBuffers", "HostileInputs", "JSONDocuments",
      "Martlet", "ModelSchema", "ResourceLimits", "TestSupport"),
    .tests("LiteRTTests", on: "BundledModels", "LiteRT", "ModelSchema", "TestSupport"),
    .tests("TensorFlowLiteTests", on: "BundledModels", "Martlet", "TensorFlowLite", "TestSupport"),
    .tests(
      "ModelHostingTests", exclude: ["FaultHost/fault_host.py"], on: "ModelHosting", "Compression"),
    .tests(
      "DocumentSnippetTests", exclude: ["Models"], on: "DocumentSnippets", "MLKit",
      "TensorFlowLite", "BundledModels", "Imaging", "Compression", "TestSupport"),
    .tests(
      "MediaPipeTasksTests", on: "AppleCompatibility", "AudioCodecs", "ImageCodecs", "Imaging",
      "MediaPipeSnippets", "MediaPipeTasksAudio", "MediaPipeTasksText", "MediaPipeTasksVision",
      "TestSupport"),
    .tests("MLKitTests", on: "BundledModels", "Imaging", "MLKit", "TestSupport"),
    .tests(
      "VerificationTests", on: "BundledModels", "Compression", "Explanations", "FileAccess",
      "Formatting", "GoldenCases", "JSONDocuments", "LiveKernels", "Martlet", "ModelFormat", "Npy",
      "OptimizedKernels", "PageResources", "ReferenceKernels", "RunComparisons", "Tensors",
      "TestSupport", "Traces", "Verification"),
    .tests(
      "AuditReportTests", on: "AuditReports", "Compression", "FileAccess", "ImageCodecs", "Imaging",
      "JSONDocuments", "Martlet", "ModelChecks", "PageMarkup", "Tensors", "TestSupport"),
    .tests(
      "CommandsTests", on: "BundledModels", "Commands", "Compression", "FetchCommands",
      "FileAccess", "Formatting", "GoldenCases", "JSONDocuments", "Martlet", "ModelFormat", "Npy",
      "ReferenceKernels", "Tensors", "TestSupport"),
  ]
    + levels
    + mlKitModules.map { .module($0, at: "Sources/Reexports/\($0)", "MLKit") }
    + (Context.environment["MARTLET_FUZZING"] == nil  // Tests/Fuzzing/fuzz sets it.
      ? [] : [.program("FuzzTargets", at: "Tests/Fuzzing/Driver", on: "HostileInputs")]),
  swiftLanguageModes: [.v6], cLanguageStandard: .c2x
)

let isSmall = Context.environment["MARTLET_SMALL"] != nil
for target in package.targets where target.type != .system && target.swiftSettings == nil {
  let (name, isTest) = (target.name, target.type == .test)
  let isStrict = !isTest && target.path?.hasPrefix("Tests") != true && !onFoundation.contains(name)
  target.swiftSettings = isStrict ? strict : Array(strict.dropFirst())
  guard isSmall || isTest || unoptimized.contains(name), !fast.contains(name) else { continue }
  let level = isSmall ? ["-Osize"] : ["-Onone", "-Xllvm", "-sil-disable-pass=use-prespecialized"]
  target.swiftSettings?.append(.unsafeFlags(level, .when(configuration: .release)))
}
