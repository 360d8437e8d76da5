// SPDX-License-Identifier: Apache-2.0
// One statement per node, in the order of the nodes, each followed by the stores of its value.
// Nodes without a use are left out.
#include "generate/text.h"

#include <stdlib.h>
#include <string.h>

static void write_number(FILE* out, double x) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", x);
  fprintf(out, strpbrk(text, ".en") ? "%s" : "%s.0", text);
}

static bool is_statement(const Node* n) {
  return n->op != OP_CONST && n->op != OP_LEAF && n->op != OP_LANE && n->op != OP_LOAD &&
         n->op != OP_ALL;
}

static void write_operand(const Graph* g, int id, FILE* out);

static void write_all(const Graph* g, const Node* n, FILE* out) {
  const Node* from = &g->node[n->arg[0]];
  const Node* vector = from->op == OP_LANE ? &g->node[from->arg[0]] : NULL;
  if (vector && vector->op != OP_LOAD) {
    fprintf(out, "ALL(");
    write_operand(g, from->arg[0], out);
    fprintf(out, ", %d)", from->lane);
  } else {
    write_operand(g, n->arg[0], out);  // C repeats a number beside a vector
  }
}

static void write_operand(const Graph* g, int id, FILE* out) {
  const Node* n = &g->node[id];
  switch (n->op) {
    case OP_CONST:
      if (n->width == 1) {
        write_number(out, n->value[0]);
        break;
      }
      fprintf(out, "(V4){");
      for (int i = 0; i < 4; ++i) {
        write_number(out, n->value[i]);
        fprintf(out, i < 3 ? ", " : "}");
      }
      break;
    case OP_LEAF:
      fprintf(out, "%s", n->text);
      break;
    case OP_LANE:
      write_operand(g, n->arg[0], out);
      fprintf(out, "[%d]", n->lane);
      break;
    case OP_LOAD:
      fprintf(out, "SLOT(%d)", n->lane);
      break;
    case OP_ALL:
      write_all(g, n, out);
      break;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_NEG:
    case OP_SET:
    case OP_NEXT:
      fprintf(out, "t%d", id);
      break;
  }
}

static bool is_zero(const Graph* g, int id) {
  return g->node[id].op == OP_CONST && g->node[id].value[0] == 0;
}

// A set. A number before a zero, in either half, is written twice, and a product with 0 and 1
// removes the second: gcc 12 else uses a form of vmovq that valgrind 3.19 does not know.
static void write_set(const Graph* g, const Node* n, FILE* out) {
  int part[4], mask[4], masked = 0;
  for (int i = 0; i < 4; ++i) {
    const int before = n->arg[i & 2],
              copied = i % 2 == 1 && is_zero(g, n->arg[i]) && !is_zero(g, before);
    part[i] = copied ? before : n->arg[i];
    mask[i] = !copied;
    masked |= copied && !(i == 3 && n->lane);
  }
  fprintf(out, "(V4){");
  for (int i = 0; i < 4; ++i) {
    write_operand(g, part[i], out);
    fprintf(out, i < 3 ? ", " : "}");
  }
  if (masked) fprintf(out, " * (V4){%d, %d, %d, %d}", mask[0], mask[1], mask[2], mask[3]);
}

static void write_expression(const Graph* g, const Node* n, FILE* out) {
  static const char* const sign[] = {
      [OP_ADD] = " + ", [OP_SUB] = " - ", [OP_MUL] = " * ", [OP_DIV] = " / "};
  switch (n->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
      write_operand(g, n->arg[0], out);
      fprintf(out, "%s", sign[n->op]);
      write_operand(g, n->arg[1], out);
      break;
    case OP_NEG:
      fprintf(out, "-");
      write_operand(g, n->arg[0], out);
      break;
    case OP_NEXT:
      fprintf(out, "NEXT(");
      write_operand(g, n->arg[0], out);
      fprintf(out, ")");
      break;
    case OP_CONST:
    case OP_LEAF:
    case OP_LANE:
    case OP_LOAD:
    case OP_ALL:
    case OP_SET:
      write_set(g, n, out);
      break;
  }
}

// The nodes that results need, marked from the last to the first.
static unsigned char* mark_used(const Graph* g, int section) {
  const int first = g->section[section].first_node, end = g->section[section + 1].first_node;
  unsigned char* used = calloc((size_t)g->node_count + 1, 1);
  if (!used) return NULL;
  for (int i = g->section[section].first_output; i < g->section[section + 1].first_output; ++i)
    used[g->output[i].node] = 1;
  for (int i = end - 1; i >= first; --i) {
    const Node* n = &g->node[i];
    if (n->section == section && n->slot >= 0) used[i] = 1;
    for (int a = 0; a < 4 && used[i]; ++a)
      if (n->arg[a] >= 0) used[n->arg[a]] = 1;
  }
  return used;
}

static void count_node(const Node* n, OperationCount* count) {
  const bool adds = n->op == OP_ADD || n->op == OP_SUB,
             multiplies = n->op == OP_MUL || n->op == OP_DIV;
  if (n->width == 1) {
    count->num_add += adds;
    count->num_mul += multiplies;
  } else {
    count->vec_add += adds;
    count->vec_mul += multiplies;
  }
}

// A result that is one number or vector for all components needs to be spelled out.
static void write_result(const Graph* g, const char* target, int id, FILE* out) {
  fprintf(out, "  %s = ", target);
  if (g->node[id].op == OP_ALL) {
    fprintf(out, "(V4){0} + ");
  }
  write_operand(g, id, out);
  fprintf(out, ";\n");
}

// Results by node, so that each is stored as soon as it is known.
static int* chain_outputs(const Graph* g, int section, int** next) {
  const int first = g->section[section].first_output, end = g->section[section + 1].first_output;
  int* head = malloc(((size_t)g->node_count + 1) * sizeof *head);
  *next = malloc(((size_t)g->output_count + 1) * sizeof **next);
  if (!head || !*next) {
    free(head);
    return NULL;
  }
  for (int i = 0; i <= g->node_count; ++i) head[i] = -1;
  for (int i = end - 1; i >= first; --i) {
    (*next)[i] = head[g->output[i].node];
    head[g->output[i].node] = i;
  }
  return head;
}

static void write_nodes(const Graph* g, int section, const unsigned char* used, const int* head,
                        const int* next, FILE* out, OperationCount* count) {
  const int end = g->section[section + 1].first_node;
  for (int i = 0; i < end; ++i) {  // results may be constants, which are older
    const Node* n = &g->node[i];
    if (!used[i]) continue;
    if (n->section == section && is_statement(n)) {
      fprintf(out, "  const %s t%d = ", n->width == 1 ? "double" : "V4", i);
      write_expression(g, n, out);
      fprintf(out, ";\n");
      count_node(n, count);
    }
    char slot[40];
    snprintf(slot, sizeof slot, "SLOT(%d)", n->slot);
    if (n->section == section && n->slot >= 0) write_result(g, slot, i, out);
    for (int o = head[i]; o >= 0; o = next[o]) write_result(g, g->output[o].target, i, out);
  }
}

int text_write_section(const Graph* g, int section, FILE* out, OperationCount* count) {
  int* next = NULL;
  unsigned char* used = mark_used(g, section);
  int* head = used ? chain_outputs(g, section, &next) : NULL;
  if (head) write_nodes(g, section, used, head, next, out, count);
  free(used);
  free(head);
  free(next);
  return head != NULL;
}
