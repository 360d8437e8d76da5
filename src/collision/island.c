// SPDX-License-Identifier: Apache-2.0
// Islands: groups of links that must be solved together.
//
// A forest of trees of links, joined by union of the lower number: the root of an island is its
// lowest tree, so numbers come out in order. With paths halved on the way up this is linear for all
// practical purposes. The lists are filled by counting.
#include "base/assert.h"
#include "collision/collider.h"
#include "math/invariant.h"
#include "model/tree.h"

static int root_of(int* parent, int i) {
  while (parent[i] != i) {
    HEFT_ASSERT(parent[i] <= i);
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

// The world (link 0) joins nothing.
static void join(int* parent, int a, int b) {
  if (a == 0 || b == 0) return;
  a = root_of(parent, a);
  b = root_of(parent, b);
  if (a < b) {
    parent[b] = a;
  } else {
    parent[a] = b;
  }
}

static int number_islands(HeftCollider* c) {
  int count = 0;
  c->island_of[0] = -1;
  for (int k = 1; k < c->nlink; ++k) {
    const int root = root_of(c->link_root, k);
    c->island_of[k] = root == k ? count++ : c->island_of[root];
    HEFT_ASSERT(c->island_of[k] >= 0 && c->island_of[k] < count);
  }
  return count;
}

// list: indices 0 to n - 1 gathered by island_of_item(i), each island's in ascending order.
static void gather(int islands, int n, const int* island, int* first, int* list) {
  for (int i = 0; i <= islands; ++i) first[i] = 0;
  for (int i = 0; i < n; ++i) {
    if (island[i] >= 0) ++first[island[i] + 1];
  }
  for (int i = 0; i < islands; ++i) first[i + 1] += first[i];
  for (int i = 0; i < n; ++i) {
    if (island[i] >= 0) list[first[island[i]]++] = i;
  }
  for (int i = islands; i > 0; --i) first[i] = first[i - 1];
  first[0] = 0;
  HEFT_ASSERT(heft_is_rising(first, islands));
}

static int island_of_pair(const HeftCollider* c, int a, int b) {
  return c->island_of[a != 0 ? a : b];
  HEFT_ASSERT(a != 0 || b != 0);
}

HeftIslands heft_collider_islands(HeftCollider* collider, const int (*joined)[2],
                                  int joined_count) {
  HeftCollider* c = collider;
  HEFT_REQUIRE(c && joined_count >= 0 && joined_count <= c->joined_max, ((HeftIslands){0}));
  HEFT_REQUIRE(joined || joined_count == 0, ((HeftIslands){0}));
  for (int k = 0; k < c->nlink; ++k) c->link_root[k] = k == 0 ? 0 : c->model->tree->link[k].root;
  for (int i = 0; i < c->contact_count; ++i) {
    join(c->link_root, c->contact[i].link_a, c->contact[i].link_b);
  }
  for (int i = 0; i < joined_count; ++i) join(c->link_root, joined[i][0], joined[i][1]);
  const int count = number_islands(c);
  gather(count, c->nlink, c->island_of, c->link_first, c->link_list);
  HEFT_ASSERT(c->link_first[count] == c->nlink - 1);
  int* of_item = c->item_island;
  for (int i = 0; i < c->contact_count; ++i) {
    of_item[i] = island_of_pair(c, c->contact[i].link_a, c->contact[i].link_b);
  }
  gather(count, c->contact_count, of_item, c->contact_first, c->contact_list);
  HEFT_ASSERT(c->contact_first[count] == c->contact_count);
  for (int i = 0; i < joined_count; ++i) of_item[i] = island_of_pair(c, joined[i][0], joined[i][1]);
  gather(count, joined_count, of_item, c->joint_first, c->joint_list);
  HEFT_ASSERT(c->joint_first[count] == joined_count);
  return (HeftIslands){.count = count,
                       .link_island = c->island_of,
                       .link_first = c->link_first,
                       .link = c->link_list,
                       .contact_first = c->contact_first,
                       .contact = c->contact_list,
                       .joint_first = c->joint_first,
                       .joint = c->joint_list};
}
