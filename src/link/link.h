// SPDX-License-Identifier: Apache-2.0
/// @file link.h
/// Controllers in other processes: a plug-in that sends the state of the world over a socket and
/// receives controls from there. docs/manual/controllers.md describes the protocol and all options.
///
///     HeftLink* link = NULL;
///     heft_link_create(&link, "unix:/tmp/robot,delay=0.005", true, NULL, &error);
///     heft_plugin_set_add(set, heft_link_plugin(link), heft_link_options(link), &error);
///
/// For the command and the tests; not installed.
#ifndef HEFT_LINK_H
#define HEFT_LINK_H

#include <heft/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HeftLink HeftLink;

/// Name of the plug-in, by which recordings name it.
#define HEFT_LINK_NAME "controller"

/// Opens the socket of a link. spec: "unix:PATH" or "udp:[IP:]PORT[#KEY][,version=1]", and behind
/// it options of the plug-in: ",NAME=NUMBER", ",free" (free=1), ",lockstep" (free=0). NULL: no
/// socket; such a link repeats recordings. paced: in free running the plug-in holds the world to
/// real time; false: the program does. allocator NULL: the default one. *out is NULL on failure.
HeftStatus heft_link_create(HeftLink** out, const char* spec, bool paced,
                            const HeftAllocator* allocator, HeftError* error);
/// Tells the controller that the simulation ends, and closes the socket. Call it after the plug-in
/// set was destroyed. NULL is allowed.
void heft_link_destroy(HeftLink* link);

/// The plug-in of this link, for one set, once. Valid as long as the link.
const HeftPlugin* heft_link_plugin(const HeftLink* link);
/// The options of the spec, for heft_plugin_set_add().
const char* heft_link_options(const HeftLink* link);
/// One line on what happened: answers, late, lost and repeated ones. Always terminated.
char* heft_link_report(const HeftLink* link, char* text, size_t size);
/// True if a step in lockstep was taken without the answer of the controller.
bool heft_link_broken(const HeftLink* link);

#ifdef __cplusplus
}
#endif
#endif
