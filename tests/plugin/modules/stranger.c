// SPDX-License-Identifier: Apache-2.0
// A shared object that is no plug-in.
int stranger(void);
int stranger(void) { return 42; }
