// SPDX-License-Identifier: Apache-2.0
// The side of the queue that has the plan: it puts chunks into the queue and sees to it that each
// comes back. The folder of results is the truth, and also keeps the quarantine; the queue may lose
// anything. When the queue is empty, chunks whose files are missing are put into it again.
#ifndef HEFT_APPS_QUEUE_OFFER_H
#define HEFT_APPS_QUEUE_OFFER_H

#include "queue/bus.h"
#include "sweep/sweep.h"

typedef struct Offer {
  Bus* bus;
  const Sweep* sweep;
  const char* folder;
  QueueJob job;
  char id[QUEUE_ID + 1], chunks[64], results[64], info[64];  ///< names of the streams
  int64_t next;     ///< first chunk that is not in the queue yet
  int64_t again;    ///< chunks that were put into the queue again
  uint64_t lifted;  ///< last note when the quarantine was lifted: replicas may still hold it
  unsigned char *away, *stored;  ///< a bit for each chunk: it is in quarantine, its file was seen
} Offer;

typedef struct OfferDef {
  int shared, replicas, deliveries;
  double ack_wait;
} OfferDef;

/// The names of the streams of a sweep.
void offer_names(const char* id, char chunks[64], char results[64], char info[64]);
/// The IDs of the sweeps in a queue. Returns their number.
int offer_list(Bus* bus, char id[][QUEUE_ID + 1], int capacity);
/// Creates the streams and puts plan and model into them, or finds them: then the options of before
/// stay.
HeftStatus offer_open(Offer* out, Bus* bus, const Sweep* sweep, const char* folder,
                      const OfferDef* def, HeftError* error);
void offer_close(Offer* offer);
/// Puts at most `count` further chunks into the queue.
HeftStatus offer_publish(Offer* offer, int64_t count, HeftError* error);
/// Chunks without a file. With `again` they go into the queue once more, unless they are in
/// quarantine. *away is the number of those.
HeftStatus offer_missing(Offer* offer, int again, int64_t* missing, int64_t* away,
                         HeftError* error);
/// Tells the queue that so many messages among the results are none of this sweep, as the last one.
HeftStatus offer_tell_strange(Offer* offer, int64_t count, const char* subject, HeftError* error);
/// Tells the queue and the folder that a chunk has no result to trust.
HeftStatus offer_quarantine(Offer* offer, int64_t chunk, const char* reason, HeftError* error);
/// Puts the chunks of the quarantine into the queue again and forgets what was noted of them.
HeftStatus offer_retry(Offer* offer, int64_t* count, HeftError* error);
/// Removes the streams.
HeftStatus offer_remove(Offer* offer, HeftError* error);

#endif
