// SPDX-License-Identifier: Apache-2.0
// Signals that end a command in order: Ctrl-C, the request of the system to end, a terminal that is
// closed. Files are completed before the end.
#ifndef HEFT_APPS_HEFT_END_SIGNALS_H
#define HEFT_APPS_HEFT_END_SIGNALS_H

/// Calls the handler at SIGINT, SIGTERM and SIGHUP. SIGHUP stays ignored if it was ('nohup').
void end_signals(void (*handler)(int signal_number));

#endif
