// SPDX-License-Identifier: Apache-2.0
// The participant of DDS, in a thread of its own: it sends the states of an exchange and passes on
// commands and requests.
#ifndef HEFT_APPS_ROS2_NODE_H
#define HEFT_APPS_ROS2_NODE_H

#include "ros2/exchange.h"

typedef struct Node Node;

/// Starts the thread. *out is NULL on failure. The exchange must outlive the node.
HeftStatus node_start(Node** out, Exchange* exchange, HeftError* error);
/// Sends what is left, waits up to a second for reliable readers, and ends the thread. NULL is
/// allowed.
void node_stop(Node* node);

#endif
