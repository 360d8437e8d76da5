// SPDX-License-Identifier: Apache-2.0
// Expressions of generated code: numbers and vectors of four numbers, as nodes of a graph.
//
// A node is one operation of IEEE arithmetic on earlier nodes. Creating a node simplifies it. The
// rules keep the value of every finite result bit for bit, except for the sign of a zero:
//   - equal operations become one node;
//   - operations on constants are computed now, by the same rounding;
//   - x + 0, x - 0, x · 1 become x; x · (-1) becomes -x; x · 0 becomes 0; x + (-y) becomes x - y.
// x + 0 and x · 0 differ from x and 0 in two cases: if a number is not finite, and in the sign of a
// zero. Sums, differences and products pass the sign of a zero on to zeros only, so results that
// are not zero keep all bits. (docs/decisions/120-generated-dynamics.md)
//
// The constants of a vector are known component by component: the product of (x, 0, z, 0) and
// (a, b, 0, 0) is known to be zero in three of them.
//
// Nodes belong to sections: the functions of the generated file. If a section uses a vector of an
// earlier section, the earlier one stores it in a slot, and the later one loads it.
#ifndef HEFT_APPS_GENERATE_GRAPH_H
#define HEFT_APPS_GENERATE_GRAPH_H

#include <heft/base.h>
#include <stddef.h>

typedef enum Operation {
  OP_CONST,  ///< value
  OP_LEAF,   ///< a number, by its text
  OP_LANE,   ///< component `lane` of vector arg[0]
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_DIV,
  OP_NEG,
  OP_LOAD,  ///< a vector of an earlier section
  OP_ALL,   ///< a vector with number arg[0] in all components
  OP_SET,   ///< a vector of four numbers
  OP_NEXT,  ///< components (1, 2, 0, 3) of vector arg[0]
} Operation;

/// A number, and a vector of four.
typedef struct Num {
  int node;
} Num;
typedef struct Vec {
  int node;
} Vec;

typedef struct Node {
  Operation op;
  int width;  ///< 1: a number, 4: a vector
  int arg[4];
  int lane;        ///< OP_LANE: the component; OP_LOAD: the slot; OP_SET: 1 for a vector of three
  int section;     ///< -1: a constant, of all sections
  int slot;        ///< where a later section finds it; -1: no later section uses it
  unsigned known;  ///< bits of the components whose value is a constant
  double value[4];
  char text[24];  ///< OP_LEAF
  int next;       ///< of the same hash
} Node;

/// A result: the text before it, "tau[3] =" or the like.
typedef struct Output {
  int node;
  char target[40];
} Output;

/// A function of the generated file.
typedef struct Section {
  int first_node, first_output;
} Section;

enum { SECTIONS_MAX = 8, GRAPH_HASH = 1 << 14 };

typedef struct Graph {
  Node* node;
  int node_count, node_capacity;
  Output* output;
  int output_count, output_capacity;
  Section section[SECTIONS_MAX + 1];
  int section_count;
  int slot_count;
  int head[GRAPH_HASH];
  bool failed;  ///< no memory: all further nodes are node 0
} Graph;

/// 0: no memory.
int graph_open(Graph* graph);
void graph_close(Graph* graph);
/// Begins the next section.
void graph_begin_section(Graph* graph);

Num num_const(Graph* graph, double value);
/// A number that the generated code can name, such as "q[3]".
Num num_leaf(Graph* graph, const char* format, int index);
Num num_add(Graph* graph, Num a, Num b);
Num num_sub(Graph* graph, Num a, Num b);
Num num_mul(Graph* graph, Num a, Num b);
Num num_div(Graph* graph, Num a, Num b);
Num num_neg(Graph* graph, Num a);

Vec vec_const(Graph* graph, double x, double y, double z);
Vec vec_set(Graph* graph, Num x, Num y, Num z, Num w);
/// A vector of three: component 3 counts as zero and may have any value in the generated code. Must
/// meet vectors of three only.
Vec vec_set3(Graph* graph, Num x, Num y, Num z);
Vec vec_add(Graph* graph, Vec a, Vec b);
Vec vec_sub(Graph* graph, Vec a, Vec b);
Vec vec_mul(Graph* graph, Vec a, Vec b);
Vec vec_scale(Graph* graph, Vec a, Num b);
Vec vec_next(Graph* graph, Vec a);
Num vec_lane(Graph* graph, Vec a, int lane);

/// Results of the present section. format has one %d.
void graph_put_num(Graph* graph, const char* format, int index, Num a);
void graph_put_vec(Graph* graph, const char* format, int index, Vec a);

#endif
