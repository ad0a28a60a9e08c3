// SPDX-License-Identifier: Apache-2.0

#include "CPageResources.h"

static const unsigned char kernel_sources_txt[] = {
#embed "kernel-sources.txt"
};

struct PageResourceBytes page_resource_kernel_sources_txt(void) {
  return (struct PageResourceBytes){kernel_sources_txt, sizeof kernel_sources_txt};
}

static const unsigned char live_css[] = {
#embed "live.css"
};

struct PageResourceBytes page_resource_live_css(void) {
  return (struct PageResourceBytes){live_css, sizeof live_css};
}

static const unsigned char live_js[] = {
#embed "live.js"
};

struct PageResourceBytes page_resource_live_js(void) {
  return (struct PageResourceBytes){live_js, sizeof live_js};
}

static const unsigned char live_kernels_wasm[] = {
#embed "live-kernels.wasm"
};

struct PageResourceBytes page_resource_live_kernels_wasm(void) {
  return (struct PageResourceBytes){live_kernels_wasm, sizeof live_kernels_wasm};
}

static const unsigned char panel_js[] = {
#embed "panel.js"
};

struct PageResourceBytes page_resource_panel_js(void) {
  return (struct PageResourceBytes){panel_js, sizeof panel_js};
}

static const unsigned char record_js[] = {
#embed "record.js"
};

struct PageResourceBytes page_resource_record_js(void) {
  return (struct PageResourceBytes){record_js, sizeof record_js};
}

static const unsigned char report_css[] = {
#embed "report.css"
};

struct PageResourceBytes page_resource_report_css(void) {
  return (struct PageResourceBytes){report_css, sizeof report_css};
}

static const unsigned char report_js[] = {
#embed "report.js"
};

struct PageResourceBytes page_resource_report_js(void) {
  return (struct PageResourceBytes){report_js, sizeof report_js};
}
