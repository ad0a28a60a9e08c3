// SPDX-License-Identifier: Apache-2.0

package import Compression
internal import Formatting
internal import PageResources
internal import Tensors

/// A part of a page in which readers change a layer's input or weights and see its output change.
///
/// The page needs nothing else and asks no host for anything. Its style uses the custom properties
/// `--ink`, `--paper`, `--accent`, `--muted` and `--line`. A content security policy must allow
/// the script and `'wasm-unsafe-eval'`. Where scripts do not run, the sentences remain.
package struct LiveSection: Sendable {
  /// The content of the section that a page puts under a heading of its own, with the data.
  package let html: String
  /// The rules for the page's style sheet.
  package let style: String
  /// The script, to be put behind the content.
  package let script: String

  /// The module of the kernels, compressed in zlib's format, in Base64.
  package static func kernels() throws(CompressionError) -> String {
    let bytes = PageResource.liveKernels.bytes
    return Base64.text(try Deflate.compress(bytes.span, .zlib))
  }

  /// The section about `layer`.
  ///
  /// - Throws: `CompressionError` where there is not enough memory to compress the kernels.
  package init(_ layer: LiveLayer) throws(CompressionError) {
    let kernels = try Self.kernels()
    let input = layer.node.inputs[0].map { "\($0.type.elementType.schemaName) \($0.type.shape)" }
    let output = layer.node.outputs[0]
    html = """
      <p class="live-about">Node \(layer.index), <code>\(layer.operatorName.xmlEscaped)</code>, made \
      <code>\(layer.outputName.xmlEscaped)</code>, \(output.elementType.schemaName) \
      \(output.shape), of \(input ?? "its input"). A page that may run scripts computes it again \
      as you change a pixel of its input or a weight: by Martlet’s reference kernel, compiled to \
      WebAssembly from the same sources.</p>
      <div id="live-layer" class="live" hidden></div>
      <script type="application/json" id="live-layer-data">{"record": \
      "\(Base64.text(layer.node.record))", "output": "\(Base64.text(layer.output.bytes))"}</script>
      <script type="application/octet-stream" id="live-layer-kernels">
      \(kernels)
      </script>
      """
    style = PageResource.liveStyle.text
    script = "{\n\(PageResource.liveScripts.map(\.text).joined())}\n"
  }
}
