// SPDX-License-Identifier: Apache-2.0
//
// The files that pages are made of, as parts of the program.

#ifndef CPAGERESOURCES_H
#define CPAGERESOURCES_H

#include <stddef.h>

/// The content of a file, which lasts as long as the program.
struct PageResourceBytes {
  const unsigned char *_Nonnull start;
  size_t count;
};

struct PageResourceBytes page_resource_kernel_sources_txt(void);
struct PageResourceBytes page_resource_live_css(void);
struct PageResourceBytes page_resource_live_js(void);
struct PageResourceBytes page_resource_live_kernels_wasm(void);
struct PageResourceBytes page_resource_panel_js(void);
struct PageResourceBytes page_resource_record_js(void);
struct PageResourceBytes page_resource_report_css(void);
struct PageResourceBytes page_resource_report_js(void);

#endif
