// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file

// The guide for custom models with Firebase ML Kit (`MLModelInterpreter` 6.25.0), as printed.
// Edits are marked "Edit:".

// 000-1
    import Firebase

/// The guide's snippets in its order; what it leaves open is a parameter.
open class CustomModelGuide {
  /// The outcome of downloads, which the guide leaves to the reader.
  public private(set) var downloaded: [String] = []
  public private(set) var failures: [NSError] = []

  public init() {}

  // 000-2
  public func remoteModel() -> CustomRemoteModel {
 let remoteModel = CustomRemoteModel(
  name: "your_remote_model"  // The name you assigned in the Firebase console.
)
    return remoteModel
  }

  // 000-3
  public func download(_ remoteModel: CustomRemoteModel) -> Progress {
 let downloadConditions = ModelDownloadConditions(
  allowsCellularAccess: true,
  allowsBackgroundDownloading: true
)

let downloadProgress = ModelManager.modelManager().download(
  remoteModel,
  conditions: downloadConditions
)
    return downloadProgress
  }

  // 000-4
  public func localModel() -> CustomLocalModel? {
 guard let modelPath = Bundle.main.path(
  forResource: "your_model",
  ofType: "tflite",
  inDirectory: "your_model_directory"
) else { /* Handle error. */ return nil }  // Edit: `return nil`, since the body of `guard` must leave.
let localModel = CustomLocalModel(modelPath: modelPath)
    return localModel
  }

  // 000-5
  public func interpreter(_ localModel: CustomLocalModel) -> ModelInterpreter {
 let interpreter = ModelInterpreter.modelInterpreter(localModel: localModel)
    return interpreter
  }

  // 000-6
  public func interpreter(_ remoteModel: CustomRemoteModel, orElse localModel: CustomLocalModel) -> ModelInterpreter {
 var interpreter: ModelInterpreter
if ModelManager.modelManager().isModelDownloaded(remoteModel) {
  interpreter = ModelInterpreter.modelInterpreter(remoteModel: remoteModel)
} else {
  interpreter = ModelInterpreter.modelInterpreter(localModel: localModel)
}
    return interpreter
  }

  // 000-7
  public func observe() {
NotificationCenter.default.addObserver(
    forName: .firebaseMLModelDownloadDidSucceed,
    object: nil,
    queue: nil
) { [weak self] notification in
    guard let strongSelf = self,
        let userInfo = notification.userInfo,
        let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue]
            as? RemoteModel,
        model.name == "your_remote_model"
        else { return }
    // The model was downloaded and is available on the device
    strongSelf.downloaded.append(model.name)  // Edit: noted for the test.
}

NotificationCenter.default.addObserver(
    forName: .firebaseMLModelDownloadDidFail,
    object: nil,
    queue: nil
) { [weak self] notification in
    guard let strongSelf = self,
        let userInfo = notification.userInfo,
        let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue]
            as? RemoteModel
        else { return }
    let error = userInfo[ModelDownloadUserInfoKey.error.rawValue]
    // ...
    strongSelf.failures.append(error as! NSError)  // Edit: noted for the test.
    _ = model
}
  }

  // 000-8
  public func ioOptions() -> ModelInputOutputOptions {
let ioOptions = ModelInputOutputOptions()
do {
    try ioOptions.setInputFormat(index: 0, type: .float32, dimensions: [1, 224, 224, 3])
    try ioOptions.setOutputFormat(index: 0, type: .float32, dimensions: [1, 1000])
} catch let error as NSError {
    print("Failed to set input or output format with error: \(error.localizedDescription)")
}
    return ioOptions
  }

  // 000-9
  public func inputs(_ yourImage: CGImage, keeping keep: (ModelInputs) -> Void) -> Bool {
let image: CGImage = yourImage  // Edit: the guide has a comment in the place of the image.
guard let context = CGContext(
  data: nil,
  width: image.width, height: image.height,
  bitsPerComponent: 8, bytesPerRow: image.width * 4,
  space: CGColorSpaceCreateDeviceRGB(),
  bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue
) else {
  return false
}

context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
guard let imageData = context.data else { return false }

let inputs = ModelInputs()
var inputData = Data()
do {
  for row in 0 ..< 224 {
    for col in 0 ..< 224 {
      let offset = 4 * (col * context.width + row)
      // (Ignore offset 0, the unused alpha channel)
      let red = imageData.load(fromByteOffset: offset+1, as: UInt8.self)
      let green = imageData.load(fromByteOffset: offset+2, as: UInt8.self)
      let blue = imageData.load(fromByteOffset: offset+3, as: UInt8.self)

      // Normalize channel values to [0.0, 1.0]. This requirement varies
      // by model. For example, some models might require values to be
      // normalized to the range [-1.0, 1.0] instead, and others might
      // require fixed-point values or the original bytes.
      var normalizedRed = Float32(red) / 255.0
      var normalizedGreen = Float32(green) / 255.0
      var normalizedBlue = Float32(blue) / 255.0

      // Append normalized values to Data object in RGB order.
      let elementSize = MemoryLayout.size(ofValue: normalizedRed)
      var bytes = [UInt8](repeating: 0, count: elementSize)
      memcpy(&bytes, &normalizedRed, elementSize)
      inputData.append(&bytes, count: elementSize)
      memcpy(&bytes, &normalizedGreen, elementSize)
      inputData.append(&bytes, count: elementSize)
      memcpy(&bytes, &normalizedBlue, elementSize)  // Edit: `&ammp;bytes` is a misprint of `&bytes`.
      inputData.append(&bytes, count: elementSize)
    }
  }
  try inputs.addInput(inputData)
} catch let error {
  print("Failed to add input: \(error)")
}
    keep(inputs)
    return true
  }

  // 000-10
  public func run(_ interpreter: ModelInterpreter, _ inputs: ModelInputs, _ ioOptions: ModelInputOutputOptions, then process: @escaping (ModelOutputs) -> Void) {
interpreter.run(inputs: inputs, options: ioOptions) { outputs, error in
    guard error == nil, let outputs = outputs else { return }
    // Process outputs
    // ...
    process(outputs)  // Edit: what the reader does with them.
}
  }

  // 000-11: compiles in Swift 4 only, since later `try?` flattens optionals.
  public func probabilities(_ outputs: ModelOutputs) -> [NSNumber]? {
// Get first and only output of inference with a batch size of 1
let output = try? outputs.output(index: 0) as? [[NSNumber]]
let probabilities = output??[0]
    return probabilities
  }

  // 000-12
  public func show(_ probabilities: [NSNumber]?, print: (String) -> Void) {
guard let labelPath = Bundle.main.path(forResource: "retrained_labels", ofType: "txt") else { return }
let fileContents = try? String(contentsOfFile: labelPath)
guard let labels = fileContents?.components(separatedBy: "\n") else { return }

for i in 0 ..< labels.count {
  if let probability = probabilities?[i] {
    print("\(labels[i]): \(probability)")
  }
}
  }
}
