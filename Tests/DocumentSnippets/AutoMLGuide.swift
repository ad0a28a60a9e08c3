// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file

// The guide for image labelling with AutoML Vision Edge (`MLVisionAutoML` 6.25.0), as printed
// twice, with the same Swift code. Edits are marked "Edit:".

// 003-1
import Firebase

/// The guide's snippets in its order; what it leaves open is a parameter.
open class AutoMLGuide {
  /// The outcome of downloads, which the guide leaves to the reader.
  public private(set) var downloaded: [String] = []
  public private(set) var failures: [NSError] = []

  public init() {}

  // 003-2
  public func remoteModel() -> AutoMLRemoteModel {
let remoteModel = AutoMLRemoteModel(
    name: "your_remote_model"  // The name you assigned in the Firebase console.
)
    return remoteModel
  }

  // 003-3
  public func download(_ remoteModel: AutoMLRemoteModel) -> Progress {
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

  // 003-4
  public func localModel(keeping keep: (AutoMLLocalModel) -> Void) -> Bool {
guard let manifestPath = Bundle.main.path(
    forResource: "manifest",
    ofType: "json",
    inDirectory: "your_model_directory"
) else { return true }
let localModel = AutoMLLocalModel(manifestPath: manifestPath)
    keep(localModel)
    return false
  }

  // 003-5
  public func labeler(_ localModel: AutoMLLocalModel) -> VisionImageLabeler {
let options = VisionOnDeviceAutoMLImageLabelerOptions(localModel: localModel)
options.confidenceThreshold = 0  // Evaluate your model in the Firebase console
                                 // to determine an appropriate value.
let labeler = Vision.vision().onDeviceAutoMLImageLabeler(options: options)
    return labeler
  }

  // 003-6
  public func labeler(_ remoteModel: AutoMLRemoteModel, orElse localModel: AutoMLLocalModel) -> VisionImageLabeler {
var options: VisionOnDeviceAutoMLImageLabelerOptions?
if (ModelManager.modelManager().isModelDownloaded(remoteModel)) {
  options = VisionOnDeviceAutoMLImageLabelerOptions(remoteModel: remoteModel)
} else {
  options = VisionOnDeviceAutoMLImageLabelerOptions(localModel: localModel)
}
options.confidenceThreshold = 0  // Evaluate your model in the Firebase console
                                 // to determine an appropriate value.
let labeler = Vision.vision().onDeviceAutoMLImageLabeler(options: options)
    return labeler
  }

  // 003-7
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

  // 003-8
  public func visionImage(_ uiImage: UIImage) -> VisionImage {
let image = VisionImage(image: uiImage)
    return image
  }

  // 003-9
public func imageOrientation(
    deviceOrientation: UIDeviceOrientation,
    cameraPosition: AVCaptureDevice.Position
    ) -> VisionDetectorImageOrientation {
    switch deviceOrientation {
    case .portrait:
        return cameraPosition == .front ? .leftTop : .rightTop
    case .landscapeLeft:
        return cameraPosition == .front ? .bottomLeft : .topLeft
    case .portraitUpsideDown:
        return cameraPosition == .front ? .rightBottom : .leftBottom
    case .landscapeRight:
        return cameraPosition == .front ? .topRight : .bottomRight
    case .faceDown, .faceUp, .unknown:
        return .leftTop
    }
}

  // 003-10
  public func metadata() -> VisionImageMetadata {
let cameraPosition = AVCaptureDevice.Position.back  // Set to the capture device you used.
let metadata = VisionImageMetadata()
metadata.orientation = imageOrientation(
    deviceOrientation: UIDevice.current.orientation,
    cameraPosition: cameraPosition
)
    return metadata
  }

  // 003-11
  public func visionImage(_ sampleBuffer: CMSampleBuffer, _ metadata: VisionImageMetadata) -> VisionImage {
let image = VisionImage(buffer: sampleBuffer)
image.metadata = metadata
    return image
  }

  // 003-12
  public func process(_ labeler: VisionImageLabeler, _ image: VisionImage, then use: @escaping ([VisionImageLabel]) -> Void) {
labeler.process(image) { labels, error in
    guard error == nil, let labels = labels else { return }

    // Task succeeded.
    // ...
    use(labels)  // Edit: handed to the test.
}
  }

  // 003-13
  public func read(_ labels: [VisionImageLabel], see: (String, NSNumber?) -> Void) {
for label in labels {
    let labelText = label.text
    let confidence = label.confidence
    see(labelText, confidence)  // Edit: handed to the test.
}
  }
}
