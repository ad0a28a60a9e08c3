// SPDX-License-Identifier: Apache-2.0

import Landmarks
public import MediaPipeTasksCommon

/// Lines between landmarks, for drawings.
extension FaceLandmarker {
  /// The lines of the lips.
  public class func lipsConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.faceLips)
  }

  /// The lines of the left eye.
  public class func leftEyeConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.faceLeftEye)
  }

  /// The lines of the left eyebrow.
  public class func leftEyebrowConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.faceLeftEyebrow)
  }

  /// The lines of the left iris.
  public class func leftIrisConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.faceLeftIris)
  }

  /// The lines of the right eye.
  public class func rightEyeConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.faceRightEye)
  }

  /// The lines of the right eyebrow.
  public class func rightEyebrowConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.faceRightEyebrow)
  }

  /// The lines of the right iris.
  public class func rightIrisConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.faceRightIris)
  }

  /// The lines of the outline of the face.
  public class func faceOvalConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.faceOval)
  }

  /// The lines of lips, eyes, eyebrows, irises and the outline of the face.
  public class func contoursConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(
      Skeleton.faceLips + Skeleton.faceLeftEye + Skeleton.faceLeftEyebrow + Skeleton.faceLeftIris
        + Skeleton.faceRightEye + Skeleton.faceRightEyebrow + Skeleton.faceRightIris
        + Skeleton.faceOval)
  }

  /// The edges of the triangles that cover the face.
  public class func tesselationConnections() -> [MediaPipeTasksCommon.Connection] {
    MediaPipeTasksCommon.Connection.connections(Skeleton.faceTessellation)
  }

  /// The lines of contours and triangles; those of the lips are there twice, as in MediaPipe.
  public class func faceConnections() -> [MediaPipeTasksCommon.Connection] {
    lipsConnections() + contoursConnections() + tesselationConnections()
  }
}
