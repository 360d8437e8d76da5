// SPDX-License-Identifier: Apache-2.0
// Values of options that view and render share. All return 1, or 0 if the text is something else.
#ifndef HEFT_APPS_PICTURE_OPTIONS_H
#define HEFT_APPS_PICTURE_OPTIONS_H

/// A finite number, at least `least`.
int picture_read_number(const char* text, double min, double* out);
/// A size like 1280x720, at least `least` pixels wide and high.
int picture_read_size(const char* text, const int min[2], int* width, int* height);
/// Names of what is shown, with commas between; their bits are set in `show`. A name that does not
/// exist is told, with a hint, in the name of the verb.
int picture_read_show(const char* verb, const char* text, unsigned* show);

#endif
