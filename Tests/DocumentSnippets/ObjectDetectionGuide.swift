// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file

// The guide for object detection and tracking with a custom model (`GoogleMLKit` 3.2.0), as
// printed. Edits are marked "Edit:".

import MLKitCommon
import MLKitLinkFirebase
import MLKitObjectDetectionCommon
import MLKitObjectDetectionCustom
import MLKitVision

/// The guide's snippets in its order; what it leaves open is a parameter.
open class ObjectDetectionGuide {
  /// The outcome of downloads, which the guide leaves to the reader.
  public private(set) var downloaded: [String] = []
  public private(set) var failures: [NSError] = []

  public init() {}

  // 002-1
  public func localModel(_ localModelFilePath: String) -> LocalModel {
let localModel = LocalModel(path: localModelFilePath)
    return localModel
  }

  // 002-2
  public func remoteModel() -> CustomRemoteModel {
let firebaseModelSource = FirebaseModelSource(
    name: "your_remote_model") // The name you assigned in
                               // the Firebase console.
let remoteModel = CustomRemoteModel(remoteModelSource: firebaseModelSource)
    return remoteModel
  }

  // 002-3
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

  // 002-4
  public func options(_ localModel: LocalModel) -> CustomObjectDetectorOptions {
let options = CustomObjectDetectorOptions(localModel: localModel)
options.detectorMode = .singleImage
options.shouldEnableClassification = true
options.shouldEnableMultipleObjects = true
options.classificationConfidenceThreshold = NSNumber(value: 0.5)
options.maxPerObjectLabelCount = 3
    return options
  }

  // 002-5
  public func options(_ remoteModel: CustomRemoteModel, orElse localModel: LocalModel) -> CustomObjectDetectorOptions {
var options: CustomObjectDetectorOptions!
if (ModelManager.modelManager().isModelDownloaded(remoteModel)) {
  options = CustomObjectDetectorOptions(remoteModel: remoteModel)
} else {
  options = CustomObjectDetectorOptions(localModel: localModel)
}
options.detectorMode = .singleImage
options.shouldEnableClassification = true
options.shouldEnableMultipleObjects = true
options.classificationConfidenceThreshold = NSNumber(value: 0.5)
options.maxPerObjectLabelCount = 3
    return options
  }

  // 002-6
  public func observe() {
NotificationCenter.default.addObserver(
    forName: .mlkitModelDownloadDidSucceed,
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
    forName: .mlkitModelDownloadDidFail,
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

  // 002-7. Edit: two scopes, since the guide declares `options` twice in one.
  public func twoConfigurations(_ localModel: LocalModel) -> [CustomObjectDetectorOptions] {
    var both: [CustomObjectDetectorOptions] = []
    do {
// Live detection and tracking
let options = CustomObjectDetectorOptions(localModel: localModel)
options.shouldEnableClassification = true
options.maxPerObjectLabelCount = 3
      both.append(options)
    }
    do {
// Multiple object detection in static images
let options = CustomObjectDetectorOptions(localModel: localModel)
options.detectorMode = .singleImage
options.shouldEnableMultipleObjects = true
options.shouldEnableClassification = true
options.maxPerObjectLabelCount = 3
      both.append(options)
    }
    return both
  }

  // 002-8. Edit: `UIImage` is the type, and `visionImage` was not declared.
  public func visionImage(_ image: UIImage) -> VisionImage {
let visionImage = VisionImage(image: image)
visionImage.orientation = image.imageOrientation
    return visionImage
  }

  // 002-9
public func imageOrientation(
  deviceOrientation: UIDeviceOrientation,
  cameraPosition: AVCaptureDevice.Position
) -> UIImage.Orientation {
  switch deviceOrientation {
  case .portrait:
    return cameraPosition == .front ? .leftMirrored : .right
  case .landscapeLeft:
    return cameraPosition == .front ? .downMirrored : .up
  case .portraitUpsideDown:
    return cameraPosition == .front ? .rightMirrored : .left
  case .landscapeRight:
    return cameraPosition == .front ? .upMirrored : .down
  case .faceDown, .faceUp, .unknown:
    return .up
  }
}

  // 002-10
  public func visionImage(_ sampleBuffer: CMSampleBuffer, _ cameraPosition: AVCaptureDevice.Position) -> VisionImage {
let image = VisionImage(buffer: sampleBuffer)
image.orientation = imageOrientation(
  deviceOrientation: UIDevice.current.orientation,
  cameraPosition: cameraPosition)
    return image
  }

  // 002-11
  public func detector(_ options: CustomObjectDetectorOptions) -> ObjectDetector {
let objectDetector = ObjectDetector.objectDetector(options: options)
    return objectDetector
  }

  // 002-12
  public func process(_ objectDetector: ObjectDetector, _ image: VisionImage, then show: @escaping ([Object]) -> Void, orElse fail: @escaping (Swift.Error?) -> Void) {
objectDetector.process(image) { objects, error in
    guard error == nil, let objects = objects, !objects.isEmpty else {
        // Handle the error.
        fail(error)  // Edit: handed to the test.
        return
    }
    // Show results.
    show(objects)  // Edit: handed to the test.
}
  }

  // 002-13
  public func results(_ objectDetector: ObjectDetector, _ image: VisionImage, show: ([Object]) -> Void, fail: (Swift.Error) -> Void) {
var objects: [Object]
do {
    objects = try objectDetector.results(in: image)
} catch let error {
    // Handle the error.
    fail(error)  // Edit: handed to the test.
    return
}
// Show results.
    show(objects)  // Edit: handed to the test.
  }

  // 002-14
  public func read(_ objects: [Object], see: (CGRect, NSNumber?, String) -> Void) {
// objects contains one item if multiple object detection wasn't enabled.
for object in objects {
  let frame = object.frame
  let trackingID = object.trackingID
  let description = object.labels.enumerated().map { (index, label) in
    "Label \(index): \(label.text), \(label.confidence), \(label.index)"
  }.joined(separator: "\n")
  see(frame, trackingID, description)  // Edit: handed to the test.
}
  }
}
