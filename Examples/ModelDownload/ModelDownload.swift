// SPDX-License-Identifier: Apache-2.0

import FirebaseMLModelDownloader
import Foundation
import TensorFlowLite

/// Downloads a model from a host of one's own and says what it takes and gives, with code as it is
/// written for Firebase.
///
///     swift run -c release ModelDownload NAME --host URL --project PROJECT [--api-key KEY]
///
/// `martlet publish` writes such a host. A second call takes the model from the disk unless there
/// is a newer one.
@main
struct ModelDownload {
  static func main() async {
    guard let settings = Settings(CommandLine.arguments.dropFirst()) else {
      print("usage: ModelDownload NAME --host URL --project PROJECT [--api-key KEY]")
      exit(64)
    }
    let options = FirebaseOptions(googleAppID: "1:1:linux:1", gcmSenderID: "1")
    options.projectID = settings.project
    options.apiKey = settings.apiKey
    options.modelHostURL = settings.host
    FirebaseApp.configure(options: options)
    do {
      let model = try await ModelDownloader.modelDownloader().getModel(
        name: settings.name, downloadType: .latestModel)
      print("\(model.name): \(model.size) bytes, version \(model.hash)")
      print(model.path)
      let interpreter = try Interpreter(modelPath: model.path)
      try interpreter.allocateTensors()
      for index in 0..<interpreter.inputTensorCount {
        print("input \(index): \(try describe(interpreter.input(at: index)))")
      }
      for index in 0..<interpreter.outputTensorCount {
        print("output \(index): \(try describe(interpreter.output(at: index)))")
      }
    } catch {
      print("error: \(error)")
      exit(1)
    }
  }

  private static func describe(_ tensor: Tensor) -> String {
    "\(tensor.name) \(tensor.dataType) \(tensor.shape.dimensions)"
  }

  private struct Settings {
    let name: String
    let host: String
    let project: String
    let apiKey: String?

    init?(_ arguments: ArraySlice<String>) {
      var values: [String: String] = [:]
      var rest = arguments
      while let argument = rest.popFirst() {
        if argument.hasPrefix("--") {
          values[argument] = rest.popFirst()
        } else {
          values["name"] = argument
        }
      }
      guard let name = values["name"], let host = values["--host"],
        let project = values["--project"]
      else { return nil }
      self.name = name
      self.host = host
      self.project = project
      apiKey = values["--api-key"]
    }
  }
}
