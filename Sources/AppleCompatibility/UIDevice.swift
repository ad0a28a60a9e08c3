// SPDX-License-Identifier: Apache-2.0

#if !canImport(UIKit)
  import Synchronization

  /// How a device is held, instead of UIKit's type.
  public enum UIDeviceOrientation: Int, Sendable, CaseIterable {
    /// Not known.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// On its side, its top to the left.
    case landscapeLeft = 3
    /// On its side, its top to the right.
    case landscapeRight = 4
    /// Lying, seen from above.
    case faceUp = 5
    /// Lying, seen from below.
    case faceDown = 6
  }

  /// The device, instead of UIKit's type.
  public final class UIDevice: Sendable {
    /// The only device.
    public static let current = UIDevice()

    private let state = Mutex(UIDeviceOrientation.unknown)

    private init() {}

    /// How the device is held: what the program says it is, since a server does not know.
    public var orientation: UIDeviceOrientation {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }
#endif

#if !canImport(AVFoundation)
  /// A camera, instead of AVFoundation's type: only its position.
  public enum AVCaptureDevice {
    /// Where on the device a camera is.
    public enum Position: Int, Sendable, CaseIterable {
      /// Not known.
      case unspecified = 0
      /// On the side away from the user.
      case back = 1
      /// On the side of the user.
      case front = 2
    }
  }
#endif
