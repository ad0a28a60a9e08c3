// SPDX-License-Identifier: Apache-2.0

private import CPageResources

/// A file that pages or explanations are made of, as the executable holds it.
///
/// `Sources/CPageResources` holds the files; C's `#embed` puts them into the program, so that it
/// needs none of them where it runs.
package struct PageResource: Sendable {
  /// The file's content.
  package let bytes: [UInt8]

  private init(_ bytes: PageResourceBytes) {
    unsafe self.bytes = Array(UnsafeBufferPointer(start: bytes.start, count: bytes.count))
  }

  /// The file's lines as text, without the one that names its license.
  package var text: String {
    String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.dropFirst(3).hasPrefix("SPDX-License-Identifier") }
      .joined(separator: "\n")
  }
}

extension PageResource {
  /// The types that kernels are made of, by source file, with the formulas of their documentation;
  /// written by `.ci/generate-kernel-sources`, which says what the lines are.
  package static var kernelSources: PageResource {
    unsafe PageResource(page_resource_kernel_sources_txt())
  }

  /// The style sheet of a report.
  package static var reportStyle: PageResource { unsafe PageResource(page_resource_report_css()) }

  /// What a report adds where scripts run.
  package static var reportScript: PageResource { unsafe PageResource(page_resource_report_js()) }

  /// The reference kernels as WebAssembly, written by `.ci/build-live-kernels`.
  package static var liveKernels: PageResource {
    unsafe PageResource(page_resource_live_kernels_wasm())
  }

  /// The style sheet of a layer that readers can change.
  package static var liveStyle: PageResource { unsafe PageResource(page_resource_live_css()) }

  /// The script of such a layer in parts: records and kernels, a panel of pixels, the layer.
  package static var liveScripts: [PageResource] {
    [
      unsafe PageResource(page_resource_record_js()), unsafe PageResource(page_resource_panel_js()),
      unsafe PageResource(page_resource_live_js()),
    ]
  }
}
