// SPDX-License-Identifier: Apache-2.0

// Writes the pixels that stb_image makes of an image file as a PPM file:
//
//     decode_with_stb IMAGE OUT.ppm

#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"

#include <stdio.h>

int main(int count, char **arguments) {
  if (count != 3) return 2;
  int width, height, channels;
  unsigned char *pixels = stbi_load(arguments[1], &width, &height, &channels, 3);
  FILE *file = pixels ? fopen(arguments[2], "wb") : NULL;
  if (!file) return 1;
  size_t size = (size_t)width * height * 3;
  fprintf(file, "P6\n%d %d\n255\n", width, height);
  size_t written = fwrite(pixels, 1, size, file);
  return fclose(file) == 0 && written == size ? 0 : 1;
}
