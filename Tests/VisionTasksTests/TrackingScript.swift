// SPDX-License-Identifier: Apache-2.0

/// The scenes that the tracker is tried on.
extension TrackingScene {
  /// Everything at once: actors cross, pass behind a pillar, leave and come back, stand still.
  static let main = TrackingScene(
    actors: [
      // A dog and a cat run past each other; the cat is in front.
      actor(46, 36, (0x8B_5A2B, 0xD2_B48C), .dots, [(0, 30, 70), (59, 290, 78)]),
      actor(42, 38, (0x30_3030, 0xE8_E8E8), .bands, [(0, 295, 84), (59, 25, 76)]),
      // A red ball rolls behind the pillar and on.
      actor(
        36, 36, (0xD0_2020, 0xF0_F0F0), .halves, isRound: true, [(0, 70, 150), (59, 300, 150)]),
      // A green box leaves at the right and comes back a second's third later.
      actor(
        40, 30, (0x20_A040, 0x90_E0A0), .checks,
        [(0, 210, 30), (22, 350, 30), (34, 350, 36), (59, 220, 36)]),
      // A blue bird crosses the image in 20 frames.
      actor(26, 22, (0x20_40C0, 0x60_C0F0), .stripes, [(18, -14, 110), (38, 334, 190)]),
      // A yellow sign stands still.
      actor(34, 34, (0xE8_D020, 0x20_2020), .plain, isRound: true, [(0, 40, 205), (59, 40, 205)]),
      // The pillar is wider than the ball.
      actor(
        52, 120, (0x70_7068, 0x78_7870), .stripes, isScenery: true,
        [(0, 185, 185), (59, 185, 185)]),
    ])

  /// Four actors meet in the middle.
  static let crossing = TrackingScene(
    actors: [
      actor(40, 40, (0xC0_3030, 0xF0_D0D0), .stripes, [(0, 40, 40), (59, 280, 200)]),
      actor(40, 40, (0x30_30C0, 0xD0_D0F0), .checks, [(0, 280, 44), (59, 40, 196)]),
      actor(38, 42, (0x30_A030, 0x20_5020), .bands, [(0, 30, 120), (59, 290, 124)]),
      actor(36, 44, (0xE0_C040, 0x80_6010), .dots, [(0, 160, 225), (59, 164, 20)]),
    ])

  /// Two actors that look the same cross: only their motion tells them apart.
  static let twins = TrackingScene(
    actors: [
      actor(40, 34, (0xC0_3030, 0xF0_D0D0), .stripes, [(0, 40, 90), (59, 280, 150)]),
      actor(40, 34, (0xC0_3030, 0xF0_D0D0), .stripes, [(0, 40, 150), (59, 280, 90)]),
    ])

  /// Three actors pass behind walls, one of them so wide that it is hidden for 15 frames.
  static let occlusion = TrackingScene(
    actors: [
      actor(34, 34, (0xC0_3030, 0x50_1010), .checks, [(0, 20, 50), (59, 310, 56)]),
      actor(36, 30, (0x30_60D0, 0xF0_F0F0), .bands, [(0, 310, 118), (59, 15, 124)]),
      actor(32, 36, (0xE0_C040, 0x30_3030), .halves, [(0, 20, 190), (59, 305, 196)]),
      actor(
        104, 90, (0x68_6860, 0x74_746C), .checks, isScenery: true,
        [(0, 160, 55), (59, 160, 55)]),
      actor(
        60, 130, (0x60_6868, 0x6C_7474), .bands, isScenery: true,
        [(0, 190, 165), (59, 190, 165)]),
    ])

  /// Three actors leave the image and come back 12 to 20 frames later, two by the same side.
  static let reentry = TrackingScene(
    actors: [
      actor(
        40, 34, (0xD0_4020, 0xF0_C0B0), .stripes,
        [(0, 220, 60), (20, 345, 60), (34, 345, 76), (59, 200, 76)]),
      actor(
        34, 40, (0x20_60D0, 0xB0_D0F0), .checks,
        [(0, 100, 120), (18, -22, 130), (36, -22, 120), (59, 120, 110)]),
      actor(
        38, 38, (0x30_B050, 0x10_3018), .dots,
        [(0, 160, 180), (15, 160, 262), (30, 200, 262), (52, 200, 160)]),
      actor(30, 30, (0xE8_E8E8, 0x40_4040), .halves, [(0, 60, 40), (59, 130, 30)]),
    ])

  /// Actors that move up to their own size per frame, and bounce.
  static let fast = TrackingScene(
    actors: [
      actor(
        26, 26, (0xD0_2020, 0xF0_F0F0), .halves, isRound: true,
        [(0, 20, 40), (14, 300, 80), (28, 20, 120), (42, 300, 160), (59, 20, 200)]),
      actor(
        24, 28, (0x20_40C0, 0x60_C0F0), .stripes,
        [(0, 300, 200), (16, 30, 180), (32, 300, 110), (48, 30, 60), (59, 230, 30)]),
      actor(28, 22, (0x20_A040, 0xE0_F0E0), .bands, [(0, 160, 20), (20, 90, 220), (40, 230, 20)]),
    ])

  /// Boxes off by a tenth of their size, a fifth not found, a shaking camera, false findings.
  static let jitter: TrackingScene = {
    var scene = crossing
    scene.boxNoise = 0.08
    scene.missShare = 0.2
    scene.falseShare = 0.6
    scene.shake = 3
    return scene
  }()

  /// Twelve actors walk to and fro in rows, close to each other.
  static let crowd = TrackingScene(
    actors: (0..<12).map { index in
      let hue = UInt32(index) &* 0x3A_5F17 & 0xFF_FFFF
      let start = 30 + Double(index % 4) * 80
      let y = 40 + Double(index / 4) * 80 + Double(index % 3) * 6
      let end = index % 2 == 0 ? min(start + 120, 300) : max(start - 120, 20)
      return actor(
        30, 44, (hue, ~hue & 0xFF_FFFF), [.stripes, .bands, .checks, .dots][index % 4],
        [(0, start, y), (59, end, y)])
    })

  /// The main scene with a detector that only looks at every third frame.
  static let skipping: TrackingScene = {
    var scene = main
    scene.interval = 3
    return scene
  }()

  private static func actor(
    _ width: Double, _ height: Double, _ colors: (UInt32, UInt32),
    _ pattern: TrackingActor.Pattern, isRound: Bool = false, isScenery: Bool = false,
    _ way: [(Int, Double, Double)]
  ) -> TrackingActor {
    TrackingActor(
      width: width, height: height, colors: colors, pattern: pattern, isRound: isRound,
      isScenery: isScenery, way: way.map { TrackingActor.Stop(frame: $0.0, x: $0.1, y: $0.2) })
  }
}
