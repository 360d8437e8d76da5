// SPDX-License-Identifier: Apache-2.0
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

HeftStatus fail_with(HeftError* error, HeftStatus status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return error->status = status;
}
