// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file

// The guide for custom models with FirebaseMLModelDownloader and TensorFlow Lite, as printed.
// Edits are marked "Edit:".

// 001-1
import FirebaseMLModelDownloader
import TensorFlowLite

/// The guide's snippets in its order; what it leaves open is a parameter.
public final class DownloadedModelGuide {
  public init() {}

  // 001-2
  public func getModel(done: @escaping (Swift.Result<Interpreter, Swift.Error>) -> Void) {
let conditions = ModelDownloadConditions(allowsCellularAccess: false)
ModelDownloader.modelDownloader()
    .getModel(name: "your_model",
              downloadType: .localModelUpdateInBackground,
              conditions: conditions) { result in
        switch (result) {
        case .success(let customModel):
            do {
                // Download complete. Depending on your app, you could enable the ML
                // feature, or switch from the local model to the remote model, etc.

                // The CustomModel object contains the local path of the model file,
                // which you can use to instantiate a TensorFlow Lite interpreter.
                let interpreter = try Interpreter(modelPath: customModel.path)
                done(.success(interpreter))  // Edit: handed to the test.
            } catch {
                // Error. Bad model file?
                done(.failure(error))  // Edit: handed to the test.
            }
        case .failure(let error):
            // Download was unsuccessful. Don't enable ML features.
            print(error)
            done(.failure(error))  // Edit: handed to the test.
        }
}
  }

  // 001-3
  public func inputData(_ yourImage: CGImage, keeping keep: (Data) -> Void) -> Bool {
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

var inputData = Data()
for row in 0 ..< 224 {  // Edit: `&lt;` is an HTML entity, here and in the next line.
  for col in 0 ..< 224 {
    let offset = 4 * (row * context.width + col)
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
    memcpy(&bytes, &normalizedRed, elementSize)  // Edit: `&amp;` is an HTML entity, here and below.
    inputData.append(&bytes, count: elementSize)
    memcpy(&bytes, &normalizedGreen, elementSize)
    inputData.append(&bytes, count: elementSize)
    memcpy(&bytes, &normalizedBlue, elementSize)  // Edit: `&ammp;bytes` is a misprint of `&bytes`.
    inputData.append(&bytes, count: elementSize)
  }
}
    keep(inputData)
    return true
  }

  // 001-4
  public func invoke(_ interpreter: Interpreter, _ inputData: Data) throws {
try interpreter.allocateTensors()
try interpreter.copy(inputData, toInputAt: 0)
try interpreter.invoke()
  }

  // 001-5
  public func show(_ interpreter: Interpreter, print: (String) -> Void) throws {
let output = try interpreter.output(at: 0)
let probabilities =
        UnsafeMutableBufferPointer<Float32>.allocate(capacity: 1000)
output.data.copyBytes(to: probabilities)

guard let labelPath = Bundle.main.path(forResource: "retrained_labels", ofType: "txt") else { return }
let fileContents = try? String(contentsOfFile: labelPath)
guard let labels = fileContents?.components(separatedBy: "\n") else { return }

for i in labels.indices {
    print("\(labels[i]): \(probabilities[i])")
}
  }
}
