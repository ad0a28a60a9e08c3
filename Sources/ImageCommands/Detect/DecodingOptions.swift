// SPDX-License-Identifier: Apache-2.0

import Martlet
import Npy
import VisionTasks

/// The options that say what a detector's outputs are.
struct DecodingOptions {
  let decoding: DetectionDecoding

  /// `--outputs`, `--anchors` and what belongs to anchors.
  static let descriptions: [OptionDescription] = [
    .choice(
      "outputs", ["automatic", "tf1", "tf2", "obb"],
      "The outputs' order: boxes, classes, scores, count (tf1), or scores, boxes, count, classes "
        + "(tf2); or the rotated boxes of Ultralytics (obb).",
      defaultValue: "automatic"),
    .value(
      "anchors", "grid|file",
      "For raw heads: ssd, short-range-faces, full-range-faces, or an npy file of centers and "
        + "sizes [n, 4], as x, y, width, height in fractions.",
      completion: .files(["npy"])),
    .value(
      "strides", "n[,n...]", "The strides of the ssd grid.", defaultValue: "16,32,64,128,256,512"),
    .choice(
      "scores", RawHeads.ScoreFunction.allCases.map(\.rawValue),
      "What makes scores of raw values; by default, identity, and sigmoid for faces."),
    .flag("background", "The first class of raw scores is the background."),
  ]

  init(
    _ arguments: ParsedArguments, _ console: any Console, model: Model
  ) throws(CommandError) {
    guard let anchors = arguments.value("anchors") else {
      for name in ["strides", "scores", "background"]
      where arguments.value(name) != nil || arguments.flag(name) {
        throw arguments.usage("--\(name) goes with --anchors")
      }
      decoding =
        switch arguments.value("outputs") {
        case "tf1": .postProcess(.tensorFlow1)
        case "tf2": .postProcess(.tensorFlow2)
        case "obb": .rotatedRows(RotatedRows())
        case _: .automatic
        }
      return
    }
    guard arguments.value("outputs") == nil else {
      throw arguments.usage("--outputs and --anchors exclude each other")
    }
    var heads = try Self.heads(anchors, arguments, console, model)
    if let word = arguments.value("scores") {
      guard let scores = RawHeads.ScoreFunction(rawValue: word) else {
        let words = RawHeads.ScoreFunction.allCases.map(\.rawValue)
        throw arguments.usage("'\(word)' for '--scores', wanted \(words.joined(separator: " or "))")
      }
      heads.scoreFunction = scores
    }
    heads.hasBackgroundClass = arguments.flag("background")
    decoding = .rawHeads(heads)
  }

  private static func heads(
    _ anchors: String, _ arguments: ParsedArguments, _ console: any Console, _ model: Model
  ) throws(CommandError) -> RawHeads {
    guard arguments.value("strides") == nil || anchors == "ssd" else {
      throw arguments.usage("--strides goes with --anchors ssd")
    }
    do throws(VisionError) {
      switch anchors {
      case "ssd":
        guard let grid = try ssdGrid(arguments.value("strides"), model) else { break }
        return RawHeads(anchors: try VisionError.wrapping(grid.anchors))
      case "short-range-faces": return try faces(.shortRangeFaces)
      case "full-range-faces": return try faces(.fullRangeFaces)
      case _: break
      }
    } catch {
      throw CommandError(error, file: anchors)
    }
    guard anchors != "ssd" else {
      throw arguments.usage("--strides are whole numbers separated by commas")
    }
    return RawHeads(anchors: try Self.anchors(in: anchors, console))
  }

  private static func faces(_ grid: AnchorGrid) throws(VisionError) -> RawHeads {
    .mediaPipe(
      anchors: try VisionError.wrapping(grid.anchors), inputWidth: grid.inputWidth,
      inputHeight: grid.inputHeight)
  }

  /// The grid for the model's input; nil where the strides are no numbers.
  private static func ssdGrid(
    _ strides: String?, _ model: Model
  ) throws(VisionError) -> AnchorGrid? {
    let sides: [Int]
    do throws(InferenceError) {
      sides = try Interpreter(model).inputs.first?.type?.shape.dimensions ?? []
    } catch {
      throw .inference(error)
    }
    guard sides.count == 4 else {
      throw .incompatibleModel("Only 4D tensors in BHWD layout are supported.")
    }
    guard let strides else { return AnchorGrid(inputWidth: sides[2], inputHeight: sides[1]) }
    let words = strides.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == words.count else { return nil }
    return AnchorGrid(inputWidth: sides[2], inputHeight: sides[1], strides: numbers)
  }

  private static func anchors(
    in path: String, _ console: any Console
  ) throws(CommandError) -> [Anchor] {
    let bytes = try console.read(path)
    let array: NpyArray
    do throws(NpyError) { array = try NpyArray(parsing: bytes.span) } catch {
      throw .npy(error, file: path)
    }
    let numbers = array.realNumbers.map { Float($0) }
    guard array.shape.rank == 2, array.shape[1] == 4, numbers.count == array.shape.elementCount
    else { throw .data("anchors are numbers [n, 4], not \(array.shape)", location: path) }
    return stride(from: 0, to: numbers.count, by: 4).map { start in
      Anchor(
        centerX: numbers[start], centerY: numbers[start + 1], width: numbers[start + 2],
        height: numbers[start + 3])
    }
  }
}

extension DetectionDecoding {
  /// What is asked of a model with these outputs.
  var task: ImageTask {
    if case .rawHeads = self { .anchoredDetection } else { .detection }
  }
}
