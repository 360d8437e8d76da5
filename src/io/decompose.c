// SPDX-License-Identifier: Apache-2.0
// Pieces of meshes during a load: who asks for them, what they may cost, where they are kept.
//
// Cost. Cutting needs more work than reading. A mesh gets a fixed number of operations, so that its
// pieces do not depend on other meshes. If the user asks for pieces, each mesh gets them; if only
// the file does, all meshes together get twice as many, so that no file can keep a load busy.
//
// Store. The key is all that the pieces depend on: version, settings, vertices, faces. The bytes
// are checked like a file of a stranger. Stored pieces count with the work that they took, so that
// a load never depends on what is stored: a file that is refused without them is refused with them.
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "io/assets.h"
#include "io/pieces.h"

// Changes when pieces of the same mesh change.
// The store belongs to one machine, or to several with the same byte order.
#if BYTES_TURNED
static const char version[16] = "heft pieces 4 B";
#else
static const char version[16] = "heft pieces 4";
#endif

// ---- the store

typedef struct StoreHead {
  char version[16];
  double excess, missing, opening, work;
  int32_t count, cut_short;
} StoreHead;

typedef struct StoreKey {
  char version[16];
  double error, work;
  int32_t max_pieces, max_vertices, vertex_count, face_count;
} StoreKey;

typedef struct Bytes {
  unsigned char* data;
  size_t size, at;
} Bytes;

static void put(Bytes* b, const void* from, size_t size) {
  if (size > 0) memcpy(b->data + b->at, from, size);
  b->at += size;
}

// Returns 0 if there are not as many bytes.
static int get(Bytes* b, void* to, size_t size) {
  if (size > b->size - b->at) return 0;
  memcpy(to, b->data + b->at, size);
  b->at += size;
  return 1;
}

static Bytes take_bytes(Load* load, size_t size) {
  return (Bytes){.data = load_take(load, size, 1), .size = size};
}

static Bytes make_key(Load* load, const Mesh* m, const PieceDef* def) {
  const StoreKey key = {.error = def->error,
                        .work = def->work,
                        .max_pieces = def->max_pieces,
                        .max_vertices = def->max_vertices,
                        .vertex_count = m->vertex_count,
                        .face_count = m->face_count};
  const size_t vertices = 3 * (size_t)m->vertex_count * sizeof(double),
               faces = 3 * (size_t)m->face_count * sizeof(int);
  Bytes b = take_bytes(load, sizeof key + vertices + faces);
  if (!b.data) return b;
  put(&b, &key, sizeof key);
  memcpy(b.data, version, sizeof version);
  put(&b, m->vertices, vertices);
  put(&b, m->faces, faces);
  return b;
}

static void store(Load* load, Bytes key, const Pieces* p) {
  size_t size = sizeof(StoreHead);
  for (int i = 0; i < p->count; ++i)
    size += 2 * sizeof(int32_t) + 3 * (size_t)p->piece[i].vertex_count * sizeof(double) +
            3 * (size_t)p->piece[i].face_count * sizeof(int);
  Bytes b = take_bytes(load, size);
  if (!b.data) return;
  StoreHead head = {.excess = p->excess,
                    .missing = p->missing,
                    .opening = p->opening,
                    .work = p->work,
                    .count = p->count,
                    .cut_short = p->cut_short};
  memcpy(head.version, version, sizeof version);
  put(&b, &head, sizeof head);
  for (int i = 0; i < p->count; ++i) {
    const Mesh* m = &p->piece[i];
    const int32_t counts[2] = {m->vertex_count, m->face_count};
    put(&b, counts, sizeof counts);
    put(&b, m->vertices, 3 * (size_t)m->vertex_count * sizeof(double));
    put(&b, m->faces, 3 * (size_t)m->face_count * sizeof(int));
  }
  const HeftPieceStore* s = load->def->piece_store;
  s->write(s->user, key.data, key.size, b.data, b.size);
}

// Reads one piece. Returns 0 if the bytes are not a piece.
static int read_piece(Load* load, Bytes* b, const PieceDef* def, Mesh* m) {
  int32_t counts[2];
  if (!get(b, counts, sizeof counts)) return 0;
  if (counts[0] < 4 || counts[0] > def->max_vertices || counts[1] < 4 ||
      counts[1] > 2 * def->max_vertices)
    return 0;
  *m = (Mesh){.vertex_count = counts[0],
              .face_count = counts[1],
              .vertices = load_take(load, 3 * (size_t)counts[0], sizeof(double)),
              .faces = load_take(load, 3 * (size_t)counts[1], sizeof(int))};
  if (!m->vertices || !m->faces) return 0;
  if (!get(b, m->vertices, 3 * (size_t)counts[0] * sizeof(double)) ||
      !get(b, m->faces, 3 * (size_t)counts[1] * sizeof(int)))
    return 0;
  int good = 1;
  for (int i = 0; i < 3 * counts[0]; ++i) good &= fabs(m->vertices[i]) <= 1e100;
  for (int i = 0; i < 3 * counts[1]; ++i) good &= m->faces[i] >= 0 && m->faces[i] < counts[0];
  return good;
}

// *work: what the pieces took when they were cut.
static int read_stored(Load* load, Bytes b, const PieceDef* def, Pieces* out, double* work) {
  StoreHead head;
  if (!get(&b, &head, sizeof head) || memcmp(head.version, version, sizeof version) != 0) return 0;
  if (head.count < 1 || head.count > def->max_pieces || !(head.excess >= 0) ||
      !(head.missing >= 0) || !(head.opening >= 0) || !(head.work >= 0 && head.work <= 1e300))
    return 0;
  *work = head.work;
  *out = (Pieces){.piece = load_take(load, (size_t)head.count, sizeof(Mesh)),
                  .excess = head.excess,
                  .missing = head.missing,
                  .opening = head.opening,
                  .cut_short = head.cut_short != 0};
  if (!out->piece) return 0;
  for (; out->count < head.count; ++out->count) {
    if (!read_piece(load, &b, def, &out->piece[out->count])) return 0;
  }
  return b.at == b.size;
}

static int find_stored(Load* load, Bytes key, const PieceDef* def, Pieces* out) {
  const HeftPieceStore* s = load->def->piece_store;
  void* bytes = NULL;
  size_t size = 0;
  if (!s->read(s->user, key.data, key.size, &load->allocator, &bytes, &size) || !bytes) return 0;
  double work = 0;
  const int good = read_stored(load, (Bytes){.data = bytes, .size = size}, def, out, &work);
  if (good) load->pieces_work += work;
  load->allocator.release(load->allocator.user, bytes, size);
  return good;
}

// ---- cutting

typedef struct Telling {
  Load* load;
  const char* name;
} Telling;

static void tell_share(void* user, double share) {
  const Telling* t = user;
  char what[120];
  if (!t->load->def->progress) return;
  const int length = (int)strlen(t->name) < 60 ? (int)strlen(t->name) : 60;
  memcpy(what, "cutting ", 8);
  memcpy(what + 8, t->name, (size_t)length);
  what[8 + length] = '\0';
  t->load->def->progress(t->load->def->user, share, what);
}

// A file that asks for pieces by itself may be a stranger's: it gets a tenth of the effort that a
// user gets who asks, so that its load keeps to the promise of a second (decision 057).
static int trusted(const HeftLoadDef* def) {
  return def->decompose > 0 || def->limits.work > 1e300;
}

static double effort_of(const HeftLoadDef* def) {
  return trusted(def) ? def->decompose_effort : 0.1 * def->decompose_effort;
}

// Whether the budget of the load allows another mesh.
static int may_cut(Load* load, const MeshAsset* asset) {
  const HeftLoadDef* def = load->def;
  if (trusted(def)) return 1;
  if (load->pieces_work <= 0.5 * effort_of(def)) return 1;
  load_fail(load, HEFT_ERR_LIMIT, asset->place,
            "mesh '%.100s': the file asks for more convex pieces than a load may compute; if you "
            "trust it, ask for pieces yourself (--decompose ERROR) or raise the limit "
            "decompose_effort",
            asset->name);
  return 0;
}

static int cut(Load* load, const MeshAsset* asset, const PieceDef* def, Pieces* out) {
  const int keep = load->def->piece_store != NULL;
  if (!may_cut(load, asset)) return -1;
  const Bytes key = keep ? make_key(load, &asset->mesh, def) : (Bytes){0};
  if (keep && key.data && find_stored(load, key, def, out)) return 1;
  if (!LOAD_OK(load)) return -1;
  Telling telling = {load, asset->name};
  const PieceProgress progress = {tell_share, &telling};
  const int made = mesh_pieces(&load->region, &asset->mesh, def, &progress, out);
  load->pieces_work += out->work;
  if (made < 0)
    load_fail(load, HEFT_ERR_MEMORY, asset->place,
              "no memory for the convex pieces of mesh '%.100s'", asset->name);
  if (made == 1 && key.data) store(load, key, out);
  return LOAD_OK(load) ? made : -1;
}

static void report(Load* load, const MeshAsset* asset, const PieceDef* def, const Pieces* p) {
  if (!load->def->pieces) return;
  HeftPieces out = {.mesh = asset->name,
                    .triangles = asset->mesh.face_count,
                    .count = p->count,
                    .error = def->error,
                    .excess = p->excess,
                    .missing = p->missing,
                    .opening = p->opening,
                    .effort = p->work,
                    .cut_short = p->cut_short};
  for (int i = 0; i < p->count; ++i) out.vertices += p->piece[i].vertex_count;
  load->def->pieces(load->def->user, &out);
}

// A name that no mesh has.
static const char* piece_name(Load* load, const Assets* assets, const char* base, int number) {
  const char* name = load_format(load, "%s_piece_%d", base, number);
  while (LOAD_OK(load) && load_search(load, (Place){0}, assets->meshes.count) &&
         assets_find_mesh(assets, name) >= 0)
    name = load_format(load, "%s_", name);
  return name;
}

static void add_pieces(Load* load, Assets* assets, const MeshAsset* asset, const Pieces* p,
                       PieceRange* range) {
  range->first = assets->meshes.count;
  range->count = p->count;
  for (int i = 0; i < p->count && p->count > 1 && LOAD_OK(load); ++i) {
    MeshAsset piece = {.mesh = p->piece[i], .place = asset->place};
    assets_collide(&piece, 0);
    piece.name = piece_name(load, assets, asset->name, i + 1);
    piece.mesh.hull_count = 0;  // as it will be when a written model is read
    piece.mesh.hull = NULL;
    assets_add_mesh(load, assets, &piece);
  }
}

static const PieceRange* find_range(const Assets* assets, int mesh, const PieceDef* def) {
  for (int i = 0; i < assets->pieces.count; ++i) {
    const PieceRange* r = &GROW_AT(assets->pieces, PieceRange, i);
    if (r->mesh == mesh && r->error == def->error && r->max_pieces == def->max_pieces) return r;
  }
  return NULL;
}

int assets_cut(Load* load, Assets* assets, int mesh, PieceWish wish, PieceRange* out) {
  const HeftLoadDef* d = load->def;
  const double error = wish.error > 0 ? wish.error : d->decompose;
  *out = (PieceRange){.mesh = mesh, .first = mesh, .count = 1};
  if (!(error > 0) || d->decompose < 0 || !d->hulls) return 0;
  if (assets_mesh(assets, mesh)->field.type != HEFT_FIELD_NONE) return 0;
  const PieceDef def = {.error = error,
                        .max_pieces = wish.max_pieces > 0 ? wish.max_pieces : d->decompose_pieces,
                        .max_vertices = d->decompose_vertices,
                        .work = effort_of(d)};
  load_search(load, (Place){0}, assets->pieces.count);
  const PieceRange* known = find_range(assets, mesh, &def);
  if (known) {
    *out = *known;
    return known->count > 1;
  }
  const MeshAsset* asset = assets_mesh(assets, mesh);
  Pieces pieces = {0};
  const int made = cut(load, asset, &def, &pieces);
  if (made < 0) return -1;
  if (made == 1) report(load, asset, &def, &pieces);
  if (made == 0)
    load_warn(load, asset->place, "mesh that is not cut",
              "mesh '%.100s' is not cut into convex pieces: it has no size, or its triangles take "
              "too much work; it collides as its convex hull",
              asset->name);
  *out = (PieceRange){
      .mesh = mesh, .error = def.error, .max_pieces = def.max_pieces, .first = mesh, .count = 1};
  if (made == 1 && pieces.count > 1) add_pieces(load, assets, asset, &pieces, out);
  PieceRange* kept = LOAD_ADD(load, &assets->pieces, PieceRange);
  if (kept) *kept = *out;
  return !LOAD_OK(load) ? -1 : out->count > 1;
}

void assets_piece_color(int piece, double color[4]) {
  static const double palette[12][3] = {{0.90, 0.40, 0.33}, {0.35, 0.62, 0.85}, {0.95, 0.77, 0.30},
                                        {0.45, 0.75, 0.48}, {0.70, 0.50, 0.80}, {0.40, 0.78, 0.78},
                                        {0.93, 0.58, 0.70}, {0.62, 0.66, 0.35}, {0.96, 0.60, 0.30},
                                        {0.45, 0.50, 0.75}, {0.68, 0.52, 0.42}, {0.65, 0.85, 0.60}};
  memcpy(color, palette[piece % 12], 3 * sizeof(double));
  color[3] = 1;
}
