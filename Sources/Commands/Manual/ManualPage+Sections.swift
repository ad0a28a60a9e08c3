// SPDX-License-Identifier: Apache-2.0

internal import BundledModels
internal import Microkernels
internal import ModelPublishing
internal import OptimizedKernels

/// What the help texts do not have.
extension ManualPage {
  static let exitStatus: [(name: String, explanation: String)] =
    ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }

  /// Every variable that the program reads.
  static let environment = [
    (
      "MARTLET_ISA",
      """
      \(MicrokernelSet.builtLevels.map(\.rawValue).joined(separator: ", ")): compute with the \
      kernels of no higher instruction-set level than this.
      """
    ),
    ("MARTLET_MODELS", "The folder of the bundled models, looked into before all others."),
    (
      StoreFolder.environmentVariable,
      """
      Where fetched models are kept, instead of com.firebase.FirebaseMLModelDownloader in \
      the folder of XDG_DATA_HOME.
      """
    ),
    ("XDG_DATA_HOME", "An absolute path instead of ~/.local/share."),
    ("HOME", "The folder that ~ stands for here."),
    ("HF_TOKEN", "The token for models on Hugging Face that are not open to everybody."),
    (
      "SOURCE_DATE_EPOCH",
      "Seconds since 1970: the date of reports and of this page, which have none without it."
    ),
    ("TMPDIR", "Where temporary files are put, instead of /tmp."),
  ]

  static let files = [
    ("models", "Beside the executable: the bundled models, where it has them there."),
    (
      BundledModels.installedFolder,
      "Seen from the executable's folder: the bundled models of an installed program."
    ),
    (FetchCommand.program, "Beside the executable: the program that fetches models."),
    (
      "~/.local/share/com.firebase.FirebaseMLModelDownloader",
      "Models that were fetched; see ENVIRONMENT."
    ),
  ]

  static let examples = [
    (
      "Say which digits the bundled images show, with the bundled model:",
      "martlet label"
    ),
    (
      "Run a model on an array that NumPy wrote, and store what comes out:",
      "martlet run model.tflite --input in.npy --output-dir results"
    ),
    (
      "Find things, and draw what was found:",
      "martlet detect photo.jpg --annotate found.png"
    ),
    (
      "See before it runs what would stop a model:",
      "martlet check model.tflite"
    ),
    (
      "Answer one image a line, as JSON, on two threads at a time:",
      #"""
      printf '{"id":"1","path":"a.png"}\n{"id":"2","path":"b.png"}\n' |
        martlet worker --task label --model model.tflite --jobs 2
      """#
    ),
    (
      "Time a model with two threads, node by node:",
      "martlet bench model.tflite --threads 2 --profile"
    ),
  ]
}

extension ExitCode {
  /// The meaning, for people who call the program from others.
  fileprivate var meaning: String {
    switch self {
    case .success: "All went well."
    case .failure: "A check, comparison or assertion failed, or some of several records did."
    case .usage: "The command line is wrong."
    case .badData: "A model, image or other data is bad."
    case .missingInput: "An input file is missing or may not be read."
    case .unavailable: "A host is not available."
    case .internalError: "An internal error: please report it."
    case .inputOutput: "Reading or writing failed."
    case .temporary: "Temporary; trying again later may help."
    case .hungUp: "Ended by SIGHUP: its terminal was closed."
    case .interrupted: "Ended by SIGINT."
    case .terminated: "Ended by SIGTERM."
    }
  }
}
