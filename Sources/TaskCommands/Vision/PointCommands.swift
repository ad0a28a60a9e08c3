// SPDX-License-Identifier: Apache-2.0

/// `martlet faces`, `martlet hands` and `martlet pose`: where the parts of people are in images.
package enum PointCommands {
  package static let faces = CommandDescription(
    "faces", "Find faces, their points and movements.",
    discussion: """
      A model of the BlazeFace family finds boxes with six points; a .task file, or --landmarks \
      beside a detector, the mesh of 468 or 478 points, and with --blendshapes, or from a .task \
      file, the strength of 52 movements. A face mesh alone takes each image as one face.
      """,
    arguments: ImageTaskCommand.arguments, options: options(.faces, "faces")
  ) { arguments, console throws(CommandError) in
    try ImageTaskCommand(.faces, arguments, console).run()
  }

  package static let hands = CommandDescription(
    "hands", "Find hands, their points and gestures.",
    discussion: """
      A .task file, or a palm detector with --landmarks, finds 21 points of each hand and tells left \
      from right; a .task file of the gesture recognizer names gestures, too. A palm detector alone \
      finds boxes with seven points; a landmark model alone takes each image as one hand.
      """,
    arguments: ImageTaskCommand.arguments, options: options(.hands, "hands")
  ) { arguments, console throws(CommandError) in
    try ImageTaskCommand(.hands, arguments, console).run()
  }

  package static let pose = CommandDescription(
    "pose", "Find people and the points of their bodies.",
    discussion: """
      MoveNet, PoseNet and YOLO's pose models find 17 points of each person; a .task file of the \
      pose landmarker, or its detector with --landmarks, 33 points with depth. The detector alone \
      finds people with four points; the landmark model alone takes each image as one person. A \
      .task file of the holistic landmarker finds one person with the points of the face and the \
      hands.
      """,
    arguments: ImageTaskCommand.arguments, options: options(.pose, "people")
  ) { arguments, console throws(CommandError) in
    try ImageTaskCommand(.pose, arguments, console).run()
  }

  private static func options(_ task: TaskDescription, _ what: String) -> [OptionDescription] {
    [ImageTaskCommand.annotate("the points of \(what)")] + task.options
      + FrameInput.descriptions.filter { $0.name != FrameInput.rate.name } + [.json, .csv]
  }
}
