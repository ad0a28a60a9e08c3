// SPDX-License-Identifier: Apache-2.0

import MetadataFormat
import ModelTasks

extension SubgraphMetadata {
  /// Says what the four outputs of a detector are, in the words of the task library.
  ///
  /// Names that tell the roles already, and contents, stay as they are.
  mutating func describeDetections(_ order: PostProcessOrder) {
    if PostProcessOrder.named(outputs.map { $0.name ?? "" }) != order {
      outputs[order.boxes].name = "location"
      outputs[order.classes].name = "category"
      outputs[order.scores].name = "score"
      outputs[order.count].name = "number of detections"
    }
    // Each box, class and score is one of many along dimension 1.
    let each = ValueRange(minimum: 2, maximum: 2)
    // Boxes are top, left, bottom, right; the default order is left, top, right, bottom.
    let boxes = BoundingBoxProperties(
      index: [1, 0, 3, 2], type: .boundaries, coordinateType: .ratio)
    for (output, content) in [
      (order.boxes, Content(properties: .boundingBox(boxes), range: each)),
      (order.classes, Content(properties: .feature, range: each)),
      (order.scores, Content(properties: .feature, range: each)),
      (order.count, Content(properties: .feature)),
    ] {
      outputs[output].content.fillIn(content)
    }
    if outputGroups.isEmpty {
      let members = [order.boxes, order.classes, order.scores]
      outputGroups = [
        TensorGroup(name: "detection_result", tensorNames: members.compactMap { outputs[$0].name })
      ]
    }
  }
}
