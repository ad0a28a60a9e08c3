// SPDX-License-Identifier: Apache-2.0

public import Imaging
public import Tracking

extension ObjectTracker {
  /// Takes in what a detector found in the next frame.
  ///
  /// - Parameters:
  ///   - objects: What `ObjectDetector` found. With a lower threshold than
  ///     `Options.confidentScore` it also gives the doubtful findings by which objects half
  ///     hidden are followed.
  ///   - image: The frame, for the looks of objects; nil where only boxes are known.
  ///   - frames: How many frames the last call lies back; more than 1 after dropped frames.
  /// - Returns: The objects that have tracking IDs, by these; with the detector's frames, names
  ///   and classifications. One that is predicted has the frame and score that the tracker knows.
  public mutating func update(
    objects: [DetectedObject], image: PixelBuffer? = nil, frames: Int = 1
  ) -> [DetectedObject] {
    let observations = objects.map { object in
      Observation(
        frame: object.frame, score: object.score, categoryIndex: object.category?.index)
    }
    return update(observations, image: image, frames: frames).map { tracked in
      var object =
        tracked.observationIndex.map { objects[$0] }
        ?? DetectedObject(
          frame: tracked.frame, score: tracked.score,
          category: tracked.categoryIndex.map { DetectedObject.Category(index: $0) })
      object.trackingID = tracked.trackingID
      return object
    }
  }
}
