// SPDX-License-Identifier: Apache-2.0
// What a service of Haply could send: any bytes as frames, and any text as a message.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/haply.h"
#include "device/websocket.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  HaplyNews news;
  char* text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  if (haply_parse(text, &news) && (!news.id[0] || !isfinite(news.sample.vel.x))) __builtin_trap();
  for (int masked = 0; masked < 2; ++masked) {
    WsFrame frame;
    memcpy(text, data, size);
    const long used = ws_read((unsigned char*)text, size, masked, 4096, &frame);
    if (used > (long)size) __builtin_trap();
    if (used > 0 && frame.payload + frame.size != (unsigned char*)text + used) __builtin_trap();
  }
  ws_accepted(text, "dGhlIHNhbXBsZSBub25jZQ==");
  free(text);
  return 0;
}
