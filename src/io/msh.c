// SPDX-License-Identifier: Apache-2.0
// Tetrahedra from files of Gmsh, formats 2 to 2.2 and 4.1, as text or binary.
//
// A file is a row of sections, $NAME to $EndNAME. Three are read, the others skipped:
//
//   $MeshFormat   version, 0 for text or 1 for binary, bytes of a number; binary: int32 1
//
//   $Nodes        2.2   count, then (tag x y z) each
//                 4.1   blocks, count, least and largest tag; for each block: dimension and tag
//                       of its entity, 1 if nodes have parameters, count; all tags; then (x y z),
//                       followed by as many parameters as the entity has dimensions
//   $Elements     2.2   count, then (tag, type, number of tags, tags, nodes) each; binary: runs of
//                       elements behind a head (type, count, number of tags)
//                 4.1   blocks, count, least and largest tag; for each block: dimension and tag
//                       of its entity, type, count, and (tag, nodes) each
//
// In binary files, counts and tags of 4.1 are 64-bit numbers, other integers have 32 bits, and the
// counts of 2.2 are text. The head of a file is not believed: memory grows with what was read.
//
// Nodes keep the order of the file.
#include "io/msh.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/decimal.h"
#include "io/mesh.h"
#include "io/words.h"

typedef struct Node {
  double x[3];
  int tag;
} Node;

typedef struct Element {
  int tag[4];  ///< of its nodes
  int line;    ///< 0 in a binary file
} Element;

typedef struct Msh {
  Load* load;
  Cursor c;
  const char* section;  ///< its name, for messages
  int old, binary;      ///< format 2; numbers are bytes
  Grow nodes, elements;
} Msh;

static Place here(const Msh* m) { return (Place){m->c.file, m->binary ? 0 : m->c.line, 0}; }

// ---- numbers

// The end of the file inside a section.
static int end_too_soon(Msh* m, const char* what) {
  load_fail(m->load, HEFT_ERR_SYNTAX, here(m),
            "the file ends in $%s, expected %s; it is truncated, write it again", m->section, what);
  return 0;
}

// A word that is no number, or a number that is too large.
static int wrong_number(Msh* m, const char* word, int length, const char* what) {
  if (length == 0) return end_too_soon(m, what);
  load_fail(m->load, HEFT_ERR_SYNTAX, place_of(&m->c, word), "'%.*s' was found in $%s, expected %s",
            length < 60 ? length : 60, word, m->section, what);
  return 0;
}

static int text_int(Msh* m, const char* what, int* out) {
  const char* word;
  const int length = next_word_of_file(&m->c, &word);
  if (length > 0 && heft_decimal_read_int(word, word + length, out) == word + length) return 1;
  return wrong_number(m, word, length, what);
}

// An integer of 4 or 8 bytes in a binary file.
static int take_int(Msh* m, int bytes, const char* what, int* out) {
  if (!m->binary) return text_int(m, what, out);
  if (m->c.end - m->c.at < bytes) return end_too_soon(m, what);
  const unsigned char* at = (const unsigned char*)m->c.at;
  const uint64_t value = bytes_get(&at, bytes);
  m->c.at = (const char*)at;
  if (value <= INT_MAX) {
    *out = (int)value;
    return 1;
  }
  load_fail(m->load, HEFT_ERR_VALUE, here(m),
            "byte %ld: the number %llu was found in $%s, expected %s up to 2^31 - 1",
            (long)((const char*)at - bytes - m->c.file->text), (unsigned long long)value,
            m->section, what);
  return 0;
}

static int take_real(Msh* m, double* out) {
  static const char what[] = "a coordinate of at most 1e9";
  const char* word = m->c.at;
  int length = 0;
  if (m->binary) {
    if (m->c.end - m->c.at < 8) return end_too_soon(m, what);
    const unsigned char* at = (const unsigned char*)m->c.at;
    *out = bytes_get_double(&at) + 0.0;
    m->c.at = (const char*)at;
    if (fabs(*out) <= 1e9) return 1;
    load_fail(m->load, HEFT_ERR_VALUE, here(m), "byte %ld: %g was found in $%s, expected %s",
              (long)((const char*)at - 8 - m->c.file->text), *out, m->section, what);
    return 0;
  }
  length = next_word_of_file(&m->c, &word);
  if (length > 0 && heft_decimal_read(word, word + length, out) == word + length &&
      fabs(*out) <= 1e9) {
    *out += 0.0;  // -0 becomes 0
    return 1;
  }
  return wrong_number(m, word, length, what);
}

// A number that must not be negative.
static int take_count(Msh* m, int bytes, const char* what, int* out) {
  if (!take_int(m, bytes, what, out)) return 0;
  if (*out >= 0) return 1;
  load_fail(m->load, HEFT_ERR_VALUE, here(m), "%d was found in $%s, expected %s of 0 or more", *out,
            m->section, what);
  return 0;
}

// A count of format 2, which is text in binary files, too, and ends its line.
static int old_count(Msh* m, const char* what, int* out) {
  if (!text_int(m, what, out)) return 0;
  if (m->binary && m->c.at < m->c.end) ++m->c.at;
  if (*out >= 0) return 1;
  load_fail(m->load, HEFT_ERR_VALUE, here(m), "%d was found in $%s, expected %s of 0 or more", *out,
            m->section, what);
  return 0;
}

// ---- nodes

static int take_place(Msh* m, Node* node) {
  for (int k = 0; k < 3; ++k) {
    if (!take_real(m, &node->x[k])) return 0;
  }
  return 1;
}

static int old_nodes(Msh* m) {
  int count = 0;
  if (!old_count(m, "the number of nodes", &count)) return 0;
  for (int i = 0; i < count; ++i) {
    Node node = {.tag = 0};
    if (!take_int(m, 4, "the tag of a node", &node.tag) || !take_place(m, &node)) return 0;
    Node* own = LOAD_ADD(m->load, &m->nodes, Node);
    if (!own) return 0;
    *own = node;
  }
  return 1;
}

// Blocks, and what of the head of the section is not used.
static int take_blocks(Msh* m, int* blocks) {
  int unused = 0;
  return take_count(m, 8, "the number of blocks", blocks) && take_count(m, 8, "a count", &unused) &&
         take_int(m, 8, "the least tag", &unused) && take_int(m, 8, "the largest tag", &unused);
}

static int node_block(Msh* m) {
  int dimension = 0, entity = 0, parametric = 0, count = 0;
  if (!take_int(m, 4, "a dimension of 0 to 3", &dimension) ||
      !take_int(m, 4, "the tag of an entity", &entity) || !take_int(m, 4, "0 or 1", &parametric) ||
      !take_count(m, 8, "the number of nodes of a block", &count))
    return 0;
  if (dimension < 0 || dimension > 3) {
    load_fail(m->load, HEFT_ERR_VALUE, here(m),
              "the dimension %d was found in $%s, expected 0 to 3", dimension, m->section);
    return 0;
  }
  const int first = m->nodes.count;
  for (int i = 0; i < count; ++i) {
    int tag = 0;
    if (!take_int(m, 8, "the tag of a node", &tag)) return 0;
    Node* node = LOAD_ADD(m->load, &m->nodes, Node);
    if (!node) return 0;
    *node = (Node){.tag = tag};
  }
  for (int i = 0; i < count; ++i) {
    double unused = 0;
    if (!take_place(m, &GROW_AT(m->nodes, Node, first + i))) return 0;
    for (int k = 0; parametric && k < dimension; ++k) {
      if (!take_real(m, &unused)) return 0;
    }
  }
  return 1;
}

static int new_nodes(Msh* m) {
  int blocks = 0;
  if (!take_blocks(m, &blocks)) return 0;
  for (int i = 0; i < blocks; ++i) {
    if (!node_block(m)) return 0;
  }
  return 1;
}

// ---- elements

// Nodes of each type of element; 0: a type that is not known. Of tetrahedra of higher order the
// first four are the corners.
static const unsigned char nodes_of_type[] = {0,  2,  3,  4,  4, 8, 6,  5,  3,  6, 9,
                                              10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10,
                                              12, 15, 15, 21, 4, 5, 6,  20, 35, 56};
enum { TYPES = sizeof nodes_of_type, TETRAHEDRON = 4 };

static int is_tetrahedron(int type) {
  return type == TETRAHEDRON || type == 11 || type == 29 || type == 30 || type == 31;
}

// Hexahedra, prisms and pyramids.
static int is_other_solid(int type) {
  return (type >= 5 && type <= 7) || (type >= 12 && type <= 14) || (type >= 17 && type <= 19);
}

// The number of nodes; 0 after a mistake.
static int check_type(Msh* m, int type) {
  if (type < 1 || type >= TYPES || is_other_solid(type)) {
    load_fail(m->load, HEFT_ERR_UNSUPPORTED, here(m),
              "an element of type %d was found, expected tetrahedra (type 4); in Gmsh, mesh the "
              "volume with tetrahedra (no recombination, order 1)",
              type);
    return 0;
  }
  if (type != TETRAHEDRON && is_tetrahedron(type))
    load_warn(m->load, here(m), "curved tetrahedra",
              "tetrahedra of higher order are read as straight ones, by their corners");
  return nodes_of_type[type];
}

// The nodes of one element, which is kept if it is a tetrahedron.
static int take_element(Msh* m, int type, int nodes, int bytes) {
  Element element = {.line = here(m).line};
  for (int k = 0; k < nodes; ++k) {
    int tag = 0;
    if (!take_int(m, bytes, "the tag of a node", &tag)) return 0;
    if (k < 4) element.tag[k] = tag;
  }
  if (!is_tetrahedron(type)) return 1;
  if (m->elements.count >= m->load->def->limits.mesh_triangles) {
    load_fail(m->load, HEFT_ERR_LIMIT, here(m),
              "there are more than %d tetrahedra; raise the limit mesh_triangles",
              m->load->def->limits.mesh_triangles);
    return 0;
  }
  element.line = here(m).line;
  Element* own = LOAD_ADD(m->load, &m->elements, Element);
  if (!own) return 0;
  *own = element;
  return 1;
}

// Elements of format 2: as text each has its own head, in binary files a run of them has one.
static int old_elements(Msh* m) {
  int count = 0, type = 0, tags = 0, run = 1, unused = 0;
  if (!old_count(m, "the number of elements", &count)) return 0;
  for (int i = 0; i < count; i += run) {
    run = 1;
    if (!m->binary && !take_int(m, 4, "the tag of an element", &unused)) return 0;
    if (!take_int(m, 4, "the type of an element", &type)) return 0;
    if (m->binary && !take_count(m, 4, "a number of elements", &run)) return 0;
    if (!take_count(m, 4, "the number of tags", &tags)) return 0;
    const int nodes = check_type(m, type);
    if (nodes == 0) return 0;
    if (run < 1 || run > count - i) {
      load_fail(m->load, HEFT_ERR_VALUE, here(m),
                "a run of %d elements was found in $%s, expected 1 to %d", run, m->section,
                count - i);
      return 0;
    }
    for (int k = 0; k < run; ++k) {
      if (m->binary && !take_int(m, 4, "the tag of an element", &unused)) return 0;
      for (int t = 0; t < tags; ++t) {
        if (!take_int(m, 4, "a tag", &unused)) return 0;
      }
      if (!take_element(m, type, nodes, 4)) return 0;
    }
  }
  return 1;
}

static int element_block(Msh* m) {
  int unused = 0, type = 0, count = 0;
  if (!take_int(m, 4, "a dimension of 0 to 3", &unused) ||
      !take_int(m, 4, "the tag of an entity", &unused) ||
      !take_int(m, 4, "the type of elements", &type) ||
      !take_count(m, 8, "the number of elements of a block", &count))
    return 0;
  const int nodes = check_type(m, type);
  for (int i = 0; nodes > 0 && i < count; ++i) {
    if (!take_int(m, 8, "the tag of an element", &unused) || !take_element(m, type, nodes, 8))
      return 0;
  }
  return nodes > 0;
}

static int new_elements(Msh* m) {
  int blocks = 0;
  if (!take_blocks(m, &blocks)) return 0;
  for (int i = 0; i < blocks; ++i) {
    if (!element_block(m)) return 0;
  }
  return 1;
}

// ---- sections

static int take_format(Msh* m) {
  const char* word;
  double version = 0;
  int bytes = 0, one = 0, binary = 0;
  const int length = next_word_of_file(&m->c, &word);
  if (length == 0 || heft_decimal_read(word, word + length, &version) != word + length)
    return wrong_number(m, word, length, "the version 2.2 or 4.1");
  m->old = version >= 2 && version < 3;
  if (!m->old && !(version > 4.05 && version < 4.15)) {
    load_fail(m->load, HEFT_ERR_UNSUPPORTED, place_of(&m->c, word),
              "the version %.*s was found in $MeshFormat, expected 2.2 or 4.1; convert the file "
              "with gmsh -format msh41 -save",
              length < 20 ? length : 20, word);
    return 0;
  }
  if (!text_int(m, "0 for text or 1 for binary", &binary)) return 0;
  if (!text_int(m, "the bytes of a number", &bytes)) return 0;
  if ((binary != 0 && binary != 1) || bytes != 8) {
    load_fail(m->load, HEFT_ERR_UNSUPPORTED, here(m),
              "'%d %d' was found in $MeshFormat, expected 0 (text) or 1 (binary), and numbers of 8 "
              "bytes",
              binary, bytes);
    return 0;
  }
  if (!binary) return 1;
  m->binary = 1;
  if (m->c.at < m->c.end) ++m->c.at;  // the end of the line
  if (!take_int(m, 4, "the number 1", &one)) return 0;
  if (one == 1) return 1;
  load_fail(m->load, HEFT_ERR_UNSUPPORTED, here(m),
            "$MeshFormat has %d where it has 1 on this machine: the file is of a machine with "
            "another byte order; write it as text",
            one);
  return 0;
}

// Whether the file goes on with "$End" and the name of the section. Moves behind it.
static int at_end(Msh* m) {
  const size_t length = strlen(m->section);
  if ((size_t)(m->c.end - m->c.at) < length + 4 || memcmp(m->c.at, "$End", 4) != 0 ||
      memcmp(m->c.at + 4, m->section, length) != 0)
    return 0;
  m->c.at += length + 4;
  return 1;
}

static int skip_section(Msh* m) {
  for (; m->c.at < m->c.end; m->c.line += *m->c.at++ == '\n') {
    if (at_end(m)) return 1;
  }
  load_fail(m->load, HEFT_ERR_SYNTAX, here(m), "$%s has no $End%s; the file is truncated",
            m->section, m->section);
  return 0;
}

static int end_section(Msh* m) {
  const char* word;
  const int length = next_word_of_file(&m->c, &word);
  m->c.at = word;
  if (at_end(m)) return 1;
  load_fail(m->load, HEFT_ERR_SYNTAX, m->binary ? here(m) : place_of(&m->c, word),
            "'%.*s' was found, expected $End%s: the section does not have as many numbers as it "
            "says",
            m->binary ? 0 : (length < 60 ? length : 60), word, m->section);
  return 0;
}

// The section at the cursor. Returns 0 after a mistake, and at the end of the file.
static int take_section(Msh* m) {
  const char* word;
  int length = next_word_of_file(&m->c, &word);
  if (length == 0) return 0;
  if (word[0] != '$' || length < 2 || length > 60) {
    load_fail(m->load, HEFT_ERR_SYNTAX, m->binary ? here(m) : place_of(&m->c, word),
              "'%.*s' was found, expected a section such as $Nodes; is this a file of Gmsh?",
              m->binary ? 0 : (length < 60 ? length : 60), word);
    return 0;
  }
  m->section = load_text(m->load, word + 1, (size_t)length - 1);
  if (!m->section) return 0;
  if (m->c.at < m->c.end && m->binary) ++m->c.at;  // the end of the line; bytes follow
  if (strcmp(m->section, "Nodes") == 0)
    return (m->old ? old_nodes(m) : new_nodes(m)) && end_section(m);
  if (strcmp(m->section, "Elements") == 0)
    return (m->old ? old_elements(m) : new_elements(m)) && end_section(m);
  return skip_section(m);
}

static int take_sections(Msh* m) {
  const char* word;
  const int length = next_word_of_file(&m->c, &word);
  if (length != 11 || memcmp(word, "$MeshFormat", 11) != 0) {
    load_fail(m->load, HEFT_ERR_SYNTAX, place_of(&m->c, word),
              "'%.*s' was found, expected $MeshFormat, with which files of Gmsh begin",
              length < 60 ? length : 60, word);
    return 0;
  }
  m->section = "MeshFormat";
  if (!take_format(m) || !end_section(m)) return 0;
  while (take_section(m)) {
  }
  return LOAD_OK(m->load);
}

// ---- the mesh

/// Nodes by their tags: rows of (tag, node, 0), sorted.
typedef struct TagTable {
  int* row;
  int count;
} TagTable;

static int tag_table_make(Msh* m, Place from, TagTable* out) {
  const int count = m->nodes.count;
  if (!load_work(m->load, from, 300.0 * count)) return 0;
  *out = (TagTable){load_take(m->load, (size_t)count, 3 * sizeof(int)), count};
  if (!out->row) return 0;
  for (int i = 0; i < count; ++i) {
    out->row[3L * i] = GROW_AT(m->nodes, Node, i).tag;
    out->row[3L * i + 1] = i;
  }
  mesh_sort_triangles(out->row, count);
  for (int i = 1; i < count; ++i) {
    if (out->row[3L * i] != out->row[3L * i - 3]) continue;
    load_fail(m->load, HEFT_ERR_NAME, from, "'%.150s' has two nodes with the tag %d",
              m->c.file->path, out->row[3L * i]);
    return 0;
  }
  return 1;
}

// The node of a tag; -1: there is none.
static int find_tag(const TagTable* table, int tag) {
  int low = 0, high = table->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (table->row[3L * middle] < tag)
      low = middle + 1;
    else
      high = middle;
  }
  return low < table->count && table->row[3L * low] == tag ? table->row[3L * low + 1] : -1;
}

// Six times the volume, as a share of the product of three edges, so that it does not depend on
// the unit: flat tetrahedra are below this.
static const double flat = 1e-12;

// Makes the volume positive. Returns 0 if there is none.
static int turn_tetrahedron(const double* x, int corner[4]) {
  const HeftVec3 o = heft_vec3_from(x + 3L * corner[0]);
  HeftVec3 e[3];
  double edges = 1;
  for (int k = 0; k < 3; ++k) {
    e[k] = heft_vec3_sub(heft_vec3_from(x + 3L * corner[k + 1]), o);
    edges *= heft_vec3_norm(e[k]);
  }
  const double volume = heft_vec3_dot(e[0], heft_vec3_cross(e[1], e[2]));
  if (!(fabs(volume) > flat * edges)) return 0;
  if (volume > 0) return 1;
  const int last = corner[3];
  corner[3] = corner[2];
  corner[2] = last;
  return 1;
}

// Corners as places in the list of nodes.
static int find_corners(Msh* m, const TagTable* table, HeftTetrahedra* out) {
  for (int t = 0; t < out->tetrahedron_count; ++t) {
    const Element* element = &GROW_AT(m->elements, Element, t);
    for (int k = 0; k < 4; ++k) {
      const int node = find_tag(table, element->tag[k]);
      out->tetrahedra[4L * t + k] = node;
      if (node >= 0) continue;
      load_fail(m->load, HEFT_ERR_NAME, (Place){m->c.file, element->line, 0},
                "tetrahedron %d has the node %d, which is not in $Nodes", t + 1, element->tag[k]);
      return 0;
    }
  }
  return 1;
}

int tetrahedra_compact(Load* load, HeftTetrahedra* mesh, int** numbers) {
  int *number = load_take(load, (size_t)mesh->vertex_count, sizeof(int)), kept = 0;
  *numbers = number;
  if (!number) return 0;
  for (long i = 0; i < 4L * mesh->tetrahedron_count; ++i) number[mesh->tetrahedra[i]] = 1;
  for (int i = 0; i < mesh->vertex_count; ++i) {
    number[i] = number[i] ? kept++ : -1;
    if (number[i] >= 0)
      memmove(mesh->vertices + 3L * number[i], mesh->vertices + 3L * i, 3 * sizeof(double));
  }
  for (long i = 0; i < 4L * mesh->tetrahedron_count; ++i)
    mesh->tetrahedra[i] = number[mesh->tetrahedra[i]];
  mesh->vertex_count = kept;
  return 1;
}

static int keep_nodes(Msh* m, HeftTetrahedra* out) {
  out->vertex_count = m->nodes.count;
  out->vertices = load_take(m->load, (size_t)m->nodes.count, 3 * sizeof(double));
  for (int i = 0; i < m->nodes.count && out->vertices; ++i)
    memcpy(out->vertices + 3L * i, GROW_AT(m->nodes, Node, i).x, 3 * sizeof(double));
  return out->vertices != NULL;
}

static int make_mesh(Msh* m, Place from, HeftTetrahedra* out) {
  TagTable table;
  out->tetrahedron_count = m->elements.count;
  out->tetrahedra = load_take(m->load, (size_t)m->elements.count, 4 * sizeof(int));
  if (!out->tetrahedra || !tag_table_make(m, from, &table) || !find_corners(m, &table, out) ||
      !keep_nodes(m, out))
    return 0;
  for (int t = 0; t < out->tetrahedron_count; ++t) {
    if (turn_tetrahedron(out->vertices, out->tetrahedra + 4L * t)) continue;
    load_fail(m->load, HEFT_ERR_VALUE, (Place){m->c.file, GROW_AT(m->elements, Element, t).line, 0},
              "tetrahedron %d is flat; remove it, or mesh the volume again", t + 1);
    return 0;
  }
  return 1;
}

// Operations for a byte: numbers as text are the most expensive.
enum { WORK_OF_BYTE = 20 };

int msh_read(Load* load, Place from, const SourceFile* file, HeftTetrahedra* out) {
  *out = (HeftTetrahedra){0};
  if (!load_work(load, from, WORK_OF_BYTE * (double)file->size)) return 0;
  Msh m = {.load = load, .c = {file->text, file->text + file->size, file, 1}};
  if (!take_sections(&m)) return 0;
  if (m.elements.count == 0) {
    load_fail(load, HEFT_ERR_VALUE, from,
              "'%.150s' has no tetrahedra; mesh the volume (gmsh -3) and write all elements",
              file->path);
    return 0;
  }
  return make_mesh(&m, from, out);
}
