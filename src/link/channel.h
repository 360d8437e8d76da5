// SPDX-License-Identifier: Apache-2.0
// The simulated way between the world and its controller: noise on the state, loss and delay of
// datagrams, and the controls that are on their way.
//
// All that a later step depends on is one block of memory, so that a snapshot is a copy. Random
// numbers are functions of the seed, the number of the datagram and its direction: the same run
// loses the same datagrams.
//
// A datagram of controls belongs to a state, by the index of that state. It is delivered in the
// first step whose time is at least
//     time of the state + delay + jitter u,   u uniform in [0, 1),
// and it must have arrived. Datagrams are counted when they are delivered, as receivers of streams
// do: an index that is skipped counts as lost, and if it is delivered later, it counts as out of
// order instead and is not used.
#ifndef HEFT_SRC_LINK_CHANNEL_H
#define HEFT_SRC_LINK_CHANNEL_H

#include <heft/model.h>

/// The options of the plug-in.
typedef struct ChannelOptions {
  double delay, jitter;                        ///< [s]
  double loss;                                 ///< probability, in each direction
  double noise, velocity_noise, sensor_noise;  ///< standard deviations
  uint64_t seed;
  double period;  ///< between two states [s]
} ChannelOptions;

/// Counters of the plug-in's values.
typedef struct ChannelCounts {
  double answers, late, lost, out_of_order, repeated;
} ChannelCounts;

/// The head of the block.
typedef struct ChannelState {
  int64_t size;      ///< of the block [bytes]
  int64_t steps;     ///< of the world
  int64_t sent;      ///< states: the index of the next one
  int64_t newest;    ///< index of the state to which the controls in use respond, -1: none
  double time;       ///< of that state [s]
  int64_t capacity;  ///< datagrams on their way
  int64_t forced;    ///< 1: joint forces were sent, so that they are written in each step
  ChannelCounts counts;
} ChannelState;

/// A datagram on its way; its numbers are in Channel::number.
typedef struct ChannelSlot {
  int64_t index;     ///< of the state, -1: empty
  double time, due;  ///< of the state, and of the delivery [s]
  int64_t forced;
} ChannelSlot;

typedef struct Channel {
  const HeftModel* model;
  int numbers;          ///< of a datagram: controls and joint forces
  ChannelState* state;  ///< the block
  double* use;          ///< numbers in use
  ChannelSlot* slot;    ///< capacity
  double* number;       ///< capacity x numbers
} Channel;

/// Bytes of a block. 0 if capacity is out of range.
size_t channel_size(const HeftModel* model, int64_t capacity);
/// Datagrams that fit on a way of this length.
int64_t channel_capacity(const ChannelOptions* options);
/// Uses a block of channel_size() bytes, aligned to 64.
void channel_place(Channel* channel, const HeftModel* model, void* block);
/// Nothing was sent. The block gets its capacity.
void channel_clear(Channel* channel, int64_t capacity);
/// True if bytes are a block for this model whose numbers can be used.
bool channel_fits(const HeftModel* model, const void* bytes, size_t size);

/// Whether the simulated way loses the state, or the controls, of an index.
bool channel_loses_state(const ChannelOptions* options, int64_t index);
bool channel_loses_controls(const ChannelOptions* options, int64_t index);
/// Adds noise to q, v and sensors of a state. scratch has nv numbers.
void channel_add_noise(const HeftModel* model, const ChannelOptions* options, double time,
                       double* q, double* v, double* sensors, double* scratch);
/// Controls have arrived that respond to state `index` of time `time`. now: time of this step.
void channel_arrive(Channel* channel, const ChannelOptions* options, int64_t index, double time,
                    double now, const double* numbers, bool forced);
/// Delivers what is due at time now. Returns false if there was nothing new.
bool channel_deliver(Channel* channel, const ChannelOptions* options, double now);

#endif
