// SPDX-License-Identifier: Apache-2.0
// heft-mesh-convert FROM TO: a mesh of any format that assimp reads (Collada, glTF, ...) as OBJ or
// STL. It is a separate program, so that assimp is not part of the library: assimp has had many
// vulnerabilities, and meshes may be untrusted. The program is limited to 4 GB and one minute of
// CPU time, and confined to the folders of FROM and TO (sandbox.h).
//
// All meshes of the file become one mesh, placed by the nodes of its scene. Units are metres: the
// unit of a Collada file is applied. Axes stay as in the file, as robot descriptions expect. An OBJ
// file gets the colours and the names of textures in an MTL file beside it; PNG images that are
// part of the file are written beside it too.
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/texture.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sandbox.h"

static int ends_with(const char* text, const char* end) {
  const size_t a = strlen(text), b = strlen(end);
  return a > b && strcasecmp(text + a - b, end) == 0;
}

static const struct aiScene* import(const char* path) {
  struct aiPropertyStore* store = aiCreatePropertyStore();
  const int dropped = aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                      aiComponent_COLORS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                      aiComponent_LIGHTS | aiComponent_CAMERAS;
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

// ---- the axis that points up

// Whether the file states, or its format implies, that y points up. The mesh is written as it is; a
// comment informs its readers.
static int is_y_up(const char* path) {
  static char text[1 << 16];
  if (ends_with(path, ".gltf") || ends_with(path, ".glb")) return 1;
  if (!ends_with(path, ".dae")) return 0;
  FILE* file = fopen(path, "rb");
  const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[size] = '\0';
  const char* at = strstr(text, "<up_axis>");
  return at && strncmp(at + 9, "Y_UP", 4) == 0;
}

// ---- materials

// The path of a file beside TO: its name without ending, and an addition.
static void beside(const char* to, const char* addition, char* out, size_t size) {
  const char* dot = strrchr(to, '.');
  snprintf(out, size, "%.*s%s", (int)(dot - to), to, addition);
}

static const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Assimp gives meshes without a material this one.
static int is_default(const struct aiMaterial* material) {
  struct aiString name = {0};
  return aiGetMaterialString(material, AI_MATKEY_NAME, &name) != aiReturn_SUCCESS ||
         strcmp(name.data, AI_DEFAULT_MATERIAL_NAME) == 0;
}

static int count_materials(const struct aiScene* scene) {
  int count = 0;
  for (unsigned i = 0; i < scene->mNumMaterials; ++i) count += !is_default(scene->mMaterials[i]);
  return count;
}

// A PNG image inside the file becomes a file. Returns 0 if it is of another format.
static int write_image(const struct aiTexture* image, const char* path) {
  static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
  if (image->mHeight != 0 || image->mWidth < sizeof png ||
      memcmp(image->pcData, png, sizeof png) != 0)
    return 0;
  FILE* file = fopen(path, "wb");
  if (!file) return 0;
  const int good = fwrite(image->pcData, 1, image->mWidth, file) == image->mWidth;
  return fclose(file) == 0 && good;
}

static int is_plain(const char* text) {
  for (; *text; ++text) {
    if ((unsigned char)*text < 32) return 0;
  }
  return 1;
}

// The image inside the file that a texture names: "*3", or the name of the image.
static const struct aiTexture* find_image(const struct aiScene* scene, const char* name) {
  if (name[0] == '*') {
    const unsigned long index = strtoul(name + 1, NULL, 10);
    return index < scene->mNumTextures ? scene->mTextures[index] : NULL;
  }
  for (unsigned i = 0; i < scene->mNumTextures; ++i) {
    if (strcmp(scene->mTextures[i]->mFilename.data, name) == 0) return scene->mTextures[i];
  }
  return NULL;
}

static void write_texture(FILE* file, const struct aiScene* scene, unsigned material,
                          const char* to) {
  struct aiString name = {0};
  char addition[32], path[4096];
  const struct aiMaterial* m = scene->mMaterials[material];
  if (aiGetMaterialTexture(m, aiTextureType_DIFFUSE, 0, &name, NULL, NULL, NULL, NULL, NULL,
                           NULL) != aiReturn_SUCCESS &&
      aiGetMaterialTexture(m, aiTextureType_BASE_COLOR, 0, &name, NULL, NULL, NULL, NULL, NULL,
                           NULL) != aiReturn_SUCCESS)
    return;
  const struct aiTexture* image = find_image(scene, name.data);
  if (!image) {
    if (name.data[0] && name.data[0] != '*' && is_plain(name.data))
      fprintf(file, "map_Kd %s\n", name.data);
    return;
  }
  snprintf(addition, sizeof addition, "-%u.png", material);
  beside(to, addition, path, sizeof path);
  if (write_image(image, path)) fprintf(file, "map_Kd %s\n", base_name(path));
}

static void write_material(FILE* file, const struct aiScene* scene, unsigned material,
                           const char* to) {
  const struct aiMaterial* m = scene->mMaterials[material];
  struct aiColor4D color = {0.6F, 0.6F, 0.6F, 1};
  float opacity = 1;
  if (aiGetMaterialColor(m, AI_MATKEY_BASE_COLOR, &color) != aiReturn_SUCCESS)
    aiGetMaterialColor(m, AI_MATKEY_COLOR_DIFFUSE, &color);
  aiGetMaterialFloatArray(m, AI_MATKEY_OPACITY, &opacity, NULL);
  // some exporters of Collada store transparency and opacity the wrong way round: what would be
  // invisible is opaque
  if (!(opacity > 0.02F)) opacity = 1;
  fprintf(file, "newmtl m%u\nKd %.6g %.6g %.6g\nd %.6g\n", material, (double)color.r,
          (double)color.g, (double)color.b, (double)opacity);
  write_texture(file, scene, material, to);
}

static int write_mtl(const char* path, const struct aiScene* scene, const char* to) {
  FILE* file = fopen(path, "wb");
  if (!file) return 0;
  for (unsigned i = 0; i < scene->mNumMaterials; ++i) {
    if (!is_default(scene->mMaterials[i])) write_material(file, scene, i, to);
  }
  const int good = !ferror(file);
  return fclose(file) == 0 && good;
}

// ---- meshes

static void write_face(FILE* file, const struct aiFace* face, unsigned first, unsigned image,
                       int has_image) {
  fputc('f', file);
  for (int k = 0; k < 3; ++k) {
    fprintf(file, " %u", first + face->mIndices[k]);
    if (has_image) fprintf(file, "/%u", image + face->mIndices[k]);
  }
  fputc('\n', file);
}

static void write_obj(FILE* file, const struct aiScene* scene) {
  unsigned first = 1, image = 1;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    const struct aiMesh* mesh = scene->mMeshes[i];
    const struct aiVector3D* place = mesh->mTextureCoords[0];
    for (unsigned v = 0; v < mesh->mNumVertices; ++v) {
      const struct aiVector3D p = mesh->mVertices[v];
      fprintf(file, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    for (unsigned v = 0; place && v < mesh->mNumVertices; ++v)
      fprintf(file, "vt %.9g %.9g\n", (double)place[v].x, (double)place[v].y);
    if (count_materials(scene) > 0) fprintf(file, "usemtl m%u\n", mesh->mMaterialIndex);
    for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
      if (mesh->mFaces[f].mNumIndices == 3)
        write_face(file, &mesh->mFaces[f], first, image, place != NULL);
    }
    first += mesh->mNumVertices;
    if (place) image += mesh->mNumVertices;
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

static int write_mesh(const char* path, const struct aiScene* scene, int y_up) {
  FILE* file = fopen(path, "wb");
  if (!file) return 0;
  if (ends_with(path, ".stl")) {
    write_stl(file, scene);
  } else {
    char materials[4096];
    if (y_up) fprintf(file, "# up_axis Y_UP\n");
    beside(path, ".mtl", materials, sizeof materials);
    if (count_materials(scene) > 0 && write_mtl(materials, scene, path))
      fprintf(file, "mtllib %s\n", base_name(materials));
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
        "Colours and textures of an .obj file stand in an .mtl file beside it.\n"
        "'heft convert' runs this program.\n");
    return 0;
  }
  if (argc != 3 || (!ends_with(argv[2], ".obj") && !ends_with(argv[2], ".stl"))) {
    fprintf(stderr, "heft-mesh-convert: expected FROM and TO, which ends in .obj or .stl\n");
    return 2;
  }
  if (!enter_sandbox_or_stop("heft-mesh-convert", argv[1], argv[2])) return 1;
  if (strlen(argv[2]) > 4000) return 2;
  const struct aiScene* scene = import(argv[1]);
  if (!scene) {
    fprintf(stderr, "%s: error: %s\n", argv[1], aiGetErrorString());
    return 1;
  }
  const unsigned count = count_triangles(scene);
  int good = count > 0;
  if (!good) {
    fprintf(stderr, "%s: error: the file has no triangles\n", argv[1]);
  } else if (!write_mesh(argv[2], scene, is_y_up(argv[1]))) {
    fprintf(stderr, "%s: error: cannot be written\n", argv[2]);
    good = 0;
  }
  aiReleaseImport(scene);
  if (good) printf("%s: %u triangles\n", argv[2], count);
  return good ? 0 : 1;
}
