// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_IO_READ_FILE_H
#define HEFT_SRC_IO_READ_FILE_H

/// Why a file could not be opened, by errno, as the beginning of a sentence that ends with its
/// name.
const char* read_file_reason(int code);

#endif
