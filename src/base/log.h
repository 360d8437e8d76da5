// SPDX-License-Identifier: Apache-2.0
// Messages of the library to the log hook.
#ifndef HEFT_SRC_BASE_LOG_H
#define HEFT_SRC_BASE_LOG_H

#include <heft/base.h>
#include <stdarg.h>

HEFT_API __attribute__((format(printf, 2, 3))) void heft_log_write(HeftLogLevel level,
                                                                   const char* format, ...);

#endif
