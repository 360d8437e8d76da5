// SPDX-License-Identifier: Apache-2.0
// heft-mesh-convert FROM TO: a mesh of any format that assimp reads (Collada, glTF, ...) as OBJ or
// STL. It is a separate program, so that assimp is not part of the library: assimp has had many
// vulnerabilities, and meshes may be untrusted. The program is limited to 4 GB and one minute of
// CPU time.
//
// All meshes of the file become one mesh, placed by the nodes of its scene. Units are metres: the
// unit of a Collada file is applied. Axes stay as in the file, as robot descriptions expect.
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/mesh.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "resources.h"

static int ends_with(const char* text, const char* end) {
  const size_t a = strlen(text), b = strlen(end);
  return a > b && strcasecmp(text + a - b, end) == 0;
}

static const struct aiScene* import(const char* path) {
  struct aiPropertyStore* store = aiCreatePropertyStore();
  const int dropped = aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                      aiComponent_COLORS | aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS |
                      aiComponent_ANIMATIONS | aiComponent_TEXTURES | aiComponent_LIGHTS |
                      aiComponent_CAMERAS | aiComponent_MATERIALS;
  aiSetImportPropertyInteger(store, AI_CONFIG_PP_RVC_FLAGS, dropped);
  aiSetImportPropertyInteger(store, AI_CONFIG_PP_SBP_REMOVE,
                             aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  const unsigned steps = aiProcess_Triangulate | aiProcess_RemoveComponent |
                         aiProcess_JoinIdenticalVertices | aiProcess_PreTransformVertices |
                         aiProcess_SortByPType;
  const struct aiScene* scene = aiImportFileExWithProperties(path, steps, NULL, store);
  aiReleasePropertyStore(store);
  return scene;
}

static unsigned count_triangles(const struct aiScene* scene) {
  unsigned count = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    const struct aiMesh* mesh = scene->mMeshes[i];
    for (unsigned f = 0; f < mesh->mNumFaces; ++f) count += mesh->mFaces[f].mNumIndices == 3;
  }
  return count;
}

static void write_obj(FILE* file, const struct aiScene* scene) {
  unsigned first = 1;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    const struct aiMesh* mesh = scene->mMeshes[i];
    for (unsigned v = 0; v < mesh->mNumVertices; ++v) {
      const struct aiVector3D p = mesh->mVertices[v];
      fprintf(file, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
      const struct aiFace* face = &mesh->mFaces[f];
      if (face->mNumIndices != 3) continue;
      fprintf(file, "f %u %u %u\n", first + face->mIndices[0], first + face->mIndices[1],
              first + face->mIndices[2]);
    }
    first += mesh->mNumVertices;
  }
}

static void put_corner(float* out, const struct aiVector3D* p) {
  out[0] = (float)p->x;
  out[1] = (float)p->y;
  out[2] = (float)p->z;
}

static void write_stl(FILE* file, const struct aiScene* scene) {
  char head[80] = "written by heft-mesh-convert";
  const uint32_t count = count_triangles(scene);
  fwrite(head, 1, sizeof head, file);
  fwrite(&count, sizeof count, 1, file);
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    const struct aiMesh* mesh = scene->mMeshes[i];
    for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
      const struct aiFace* face = &mesh->mFaces[f];
      float numbers[12] = {0};  // the normal (zero: computed by readers), then three vertices
      const uint16_t nothing = 0;
      if (face->mNumIndices != 3) continue;
      for (int k = 0; k < 3; ++k)
        put_corner(numbers + 3 * k + 3, &mesh->mVertices[face->mIndices[k]]);
      fwrite(numbers, sizeof *numbers, 12, file);
      fwrite(&nothing, sizeof nothing, 1, file);
    }
  }
}

static int write_mesh(const char* path, const struct aiScene* scene) {
  FILE* file = fopen(path, "wb");
  if (!file) return 0;
  if (ends_with(path, ".stl")) {
    write_stl(file, scene);
  } else {
    write_obj(file, scene);
  }
  const int good = !ferror(file);
  return fclose(file) == 0 && good;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    printf(
        "usage: heft-mesh-convert FROM TO\n"
        "Converts a mesh (Collada, glTF or another format of assimp) to an .obj or .stl file.\n"
        "'heft convert' runs this program.\n");
    return 0;
  }
  if (argc != 3 || (!ends_with(argv[2], ".obj") && !ends_with(argv[2], ".stl"))) {
    fprintf(stderr, "heft-mesh-convert: expected FROM and TO, which ends in .obj or .stl\n");
    return 2;
  }
  limit_resources();
  const struct aiScene* scene = import(argv[1]);
  if (!scene) {
    fprintf(stderr, "%s: error: %s\n", argv[1], aiGetErrorString());
    return 1;
  }
  const unsigned count = count_triangles(scene);
  int good = count > 0;
  if (!good) {
    fprintf(stderr, "%s: error: the file has no triangles\n", argv[1]);
  } else if (!write_mesh(argv[2], scene)) {
    fprintf(stderr, "%s: error: cannot be written\n", argv[2]);
    good = 0;
  }
  aiReleaseImport(scene);
  if (good) printf("%s: %u triangles\n", argv[2], count);
  return good ? 0 : 1;
}
