// SPDX-License-Identifier: Apache-2.0
// Nested dissection [George 1973]: nodes on one side of a plane, nodes on the other side, and last
// those that separate the two. The factor of a solid then has fewer numbers than with pure minimum
// degree, and its large fronts are few. The plane is across the longest side of the box about the
// nodes, through their mean.
#include "dynamics/deform/dissection.h"

#include <string.h>

enum {
  PART = 40,      // nodes that are not divided any more
  DEPTH_MAX = 40  // of planes
};

typedef struct Dissection {
  const BlockGraph* graph;
  const double* place;
  int *rank, *nodes, *side;
  int parts;  ///< found so far
} Dissection;

// The axis along which the nodes extend most, and their mean along it.
static int longest_axis(const Dissection* d, int first, int end, double* mean) {
  double low[3], high[3], sum[3] = {0};
  for (int k = 0; k < 3; ++k) low[k] = high[k] = d->place[3L * d->nodes[first] + k];
  for (int i = first; i < end; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double x = d->place[3L * d->nodes[i] + k];
      if (x < low[k]) low[k] = x;
      if (x > high[k]) high[k] = x;
      sum[k] += x;
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  }
  *mean = sum[axis] / (end - first);
  return axis;
}

// The nodes of a range whose side is `side` come first; returns where the others begin.
static int bring_forward(const Dissection* d, int first, int end, int side) {
  int at = first;
  for (int i = first; i < end; ++i) {
    const int node = d->nodes[i];
    if (d->side[node] != side) continue;
    d->nodes[i] = d->nodes[at];
    d->nodes[at++] = node;
  }
  return at;
}

enum { LOW = 1, HIGH, BETWEEN };  // sides; 0: not in the range

static void mark_sides(const Dissection* d, int first, int end) {
  double mean;
  const int axis = longest_axis(d, first, end, &mean);
  for (int i = first; i < end; ++i)
    d->side[d->nodes[i]] = d->place[3L * d->nodes[i] + axis] < mean ? LOW : HIGH;
  for (int i = first; i < end; ++i) {
    const int p = d->nodes[i];
    for (int k = d->graph->start[p]; k < d->graph->start[p + 1] && d->side[p] == HIGH; ++k) {
      if (d->side[d->graph->adjacent[k]] == LOW) d->side[p] = BETWEEN;
    }
  }
}

static void number_part(Dissection* d, int first, int end) {
  for (int i = first; i < end; ++i) d->rank[d->nodes[i]] = d->parts;
  if (end > first) ++d->parts;
}

static void dissect(Dissection* d, int first, int end, int depth) {
  if (end - first <= PART || depth == DEPTH_MAX) {
    number_part(d, first, end);
    return;
  }
  mark_sides(d, first, end);
  const int low = bring_forward(d, first, end, LOW), high = bring_forward(d, low, end, HIGH);
  for (int i = first; i < end; ++i) d->side[d->nodes[i]] = 0;
  if (low == first || high == low) {  // nothing is separated
    number_part(d, first, end);
    return;
  }
  dissect(d, first, low, depth + 1);
  dissect(d, low, high, depth + 1);
  number_part(d, high, end);
}

void heft_dissect(const BlockGraph* graph, const double* place, int* rank, int* scratch) {
  Dissection d = {.graph = graph,
                  .place = place,
                  .rank = rank,
                  .nodes = scratch,
                  .side = scratch + graph->nodes};
  for (int i = 0; i < graph->nodes; ++i) {
    d.nodes[i] = i;
    d.side[i] = 0;
  }
  dissect(&d, 0, graph->nodes, 0);
}
