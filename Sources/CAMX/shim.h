// SPDX-License-Identifier: Apache-2.0

// AMX's instructions, which Swift has no functions for: the registers that they work on are part of them.
#ifdef __x86_64__
#include <immintrin.h>

// Registers 0 to 3 hold sums, 4 activations and 5 weights; 6 and 7 hold what is left of both at the end of a depth.
#define TILE_FUNCTION static inline __attribute__((always_inline, target("amx-tile,amx-int8")))

TILE_FUNCTION void loadTileSums(int index, const void *rows, size_t stride) {
  switch (index) {
    case 0: _tile_loadd(0, rows, stride); break;
    case 1: _tile_loadd(1, rows, stride); break;
    case 2: _tile_loadd(2, rows, stride); break;
    default: _tile_loadd(3, rows, stride);
  }
}

TILE_FUNCTION void storeTileSums(int index, void *rows, size_t stride) {
  switch (index) {
    case 0: _tile_stored(0, rows, stride); break;
    case 1: _tile_stored(1, rows, stride); break;
    case 2: _tile_stored(2, rows, stride); break;
    default: _tile_stored(3, rows, stride);
  }
}

TILE_FUNCTION void loadTileActivations(const void *rows, size_t stride) { _tile_loadd(4, rows, stride); }

TILE_FUNCTION void loadTileWeights(const void *rows, size_t stride) { _tile_loadd(5, rows, stride); }

TILE_FUNCTION void loadLastTileActivations(const void *rows, size_t stride) { _tile_loadd(6, rows, stride); }

TILE_FUNCTION void loadLastTileWeights(const void *rows, size_t stride) { _tile_loadd(7, rows, stride); }

// Products of unsigned activations and signed weights.
TILE_FUNCTION void addTileProducts(int index) {
  switch (index) {
    case 0: _tile_dpbusd(0, 4, 5); break;
    case 1: _tile_dpbusd(1, 4, 5); break;
    case 2: _tile_dpbusd(2, 4, 5); break;
    default: _tile_dpbusd(3, 4, 5);
  }
}

TILE_FUNCTION void addLastTileProducts(int index) {
  switch (index) {
    case 0: _tile_dpbusd(0, 6, 7); break;
    case 1: _tile_dpbusd(1, 6, 7); break;
    case 2: _tile_dpbusd(2, 6, 7); break;
    default: _tile_dpbusd(3, 6, 7);
  }
}
#endif
