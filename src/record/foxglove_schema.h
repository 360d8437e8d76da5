// SPDX-License-Identifier: Apache-2.0
// JSON schemas of Foxglove's messages (https://docs.foxglove.dev/docs/sdk/schemas), composed of
// their parts. tests/tools/foxglove.mjs compares them with the official ones.
#ifndef HEFT_SRC_RUN_LOG_FOXGLOVE_SCHEMA_H
#define HEFT_SRC_RUN_LOG_FOXGLOVE_SCHEMA_H

// clang-format off
#define FG_OBJECT(title, fields, required) \
  "{\"title\":\"" title "\",\"type\":\"object\",\"properties\":{" fields "},\"required\":[" required "]}"
#define FG_FIELD(name, schema) "\"" name "\":" schema
#define FG_ARRAY(items) "{\"type\":\"array\",\"items\":" items "}"
#define FG_NUMBER "{\"type\":\"number\"}"
#define FG_STRING "{\"type\":\"string\"}"
#define FG_BOOLEAN "{\"type\":\"boolean\"}"
#define FG_NSEC "\"nsec\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":999999999}"
#define FG_TIME "{\"type\":\"object\",\"title\":\"time\",\"properties\":{\"sec\":{\"type\":\"integer\",\"minimum\":0}," FG_NSEC "}}"
#define FG_DURATION "{\"type\":\"object\",\"title\":\"duration\",\"properties\":{\"sec\":{\"type\":\"integer\"}," FG_NSEC "}}"
#define FG_XYZ FG_FIELD("x", FG_NUMBER) "," FG_FIELD("y", FG_NUMBER) "," FG_FIELD("z", FG_NUMBER)
#define FG_VECTOR FG_OBJECT("foxglove.Vector3", FG_XYZ, "\"x\",\"y\",\"z\"")
#define FG_POINT FG_OBJECT("foxglove.Point3", FG_XYZ, "\"x\",\"y\",\"z\"")
#define FG_QUATERNION \
  FG_OBJECT("foxglove.Quaternion", FG_XYZ "," FG_FIELD("w", FG_NUMBER), "\"x\",\"y\",\"z\",\"w\"")
#define FG_POSE \
  FG_OBJECT("foxglove.Pose", FG_FIELD("position", FG_VECTOR) "," FG_FIELD("orientation", FG_QUATERNION), \
            "\"position\",\"orientation\"")
#define FG_COLOR \
  FG_OBJECT("foxglove.Color", FG_FIELD("r", FG_NUMBER) "," FG_FIELD("g", FG_NUMBER) "," \
            FG_FIELD("b", FG_NUMBER) "," FG_FIELD("a", FG_NUMBER), "\"r\",\"g\",\"b\",\"a\"")
#define FG_PLACED FG_FIELD("pose", FG_POSE) "," FG_FIELD("color", FG_COLOR)

#define FG_ARROW \
  FG_OBJECT("foxglove.ArrowPrimitive", FG_PLACED "," FG_FIELD("shaft_length", FG_NUMBER) "," \
            FG_FIELD("shaft_diameter", FG_NUMBER) "," FG_FIELD("head_length", FG_NUMBER) "," \
            FG_FIELD("head_diameter", FG_NUMBER), \
            "\"pose\",\"shaft_length\",\"shaft_diameter\",\"head_length\",\"head_diameter\",\"color\"")
#define FG_CUBE \
  FG_OBJECT("foxglove.CubePrimitive", FG_PLACED "," FG_FIELD("size", FG_VECTOR), "\"pose\",\"size\",\"color\"")
#define FG_SPHERE \
  FG_OBJECT("foxglove.SpherePrimitive", FG_PLACED "," FG_FIELD("size", FG_VECTOR), "\"pose\",\"size\",\"color\"")
#define FG_CYLINDER \
  FG_OBJECT("foxglove.CylinderPrimitive", FG_PLACED "," FG_FIELD("size", FG_VECTOR) "," \
            FG_FIELD("bottom_scale", FG_NUMBER) "," FG_FIELD("top_scale", FG_NUMBER), \
            "\"pose\",\"size\",\"bottom_scale\",\"top_scale\",\"color\"")
#define FG_INDICES FG_ARRAY("{\"type\":\"integer\",\"minimum\":0}")
#define FG_LINE_TYPE \
  "{\"title\":\"foxglove.LineType\",\"oneOf\":[{\"title\":\"LINE_STRIP\",\"const\":0}," \
  "{\"title\":\"LINE_LOOP\",\"const\":1},{\"title\":\"LINE_LIST\",\"const\":2}]}"
#define FG_LINE \
  FG_OBJECT("foxglove.LinePrimitive", FG_PLACED "," FG_FIELD("type", FG_LINE_TYPE) "," \
            FG_FIELD("thickness", FG_NUMBER) "," FG_FIELD("scale_invariant", FG_BOOLEAN) "," \
            FG_FIELD("points", FG_ARRAY(FG_POINT)) "," FG_FIELD("colors", FG_ARRAY(FG_COLOR)) "," \
            FG_FIELD("indices", FG_INDICES), \
            "\"type\",\"pose\",\"thickness\",\"scale_invariant\",\"points\",\"color\",\"colors\",\"indices\"")
#define FG_TRIANGLES \
  FG_OBJECT("foxglove.TriangleListPrimitive", FG_PLACED "," FG_FIELD("points", FG_ARRAY(FG_POINT)) "," \
            FG_FIELD("colors", FG_ARRAY(FG_COLOR)) "," FG_FIELD("indices", FG_INDICES), \
            "\"pose\",\"points\",\"color\",\"colors\",\"indices\"")
#define FG_TEXT \
  FG_OBJECT("foxglove.TextPrimitive", FG_PLACED "," FG_FIELD("billboard", FG_BOOLEAN) "," \
            FG_FIELD("font_size", FG_NUMBER) "," FG_FIELD("scale_invariant", FG_BOOLEAN) "," \
            FG_FIELD("text", FG_STRING), \
            "\"pose\",\"billboard\",\"font_size\",\"scale_invariant\",\"color\",\"text\"")
#define FG_MODEL \
  FG_OBJECT("foxglove.ModelPrimitive", FG_PLACED "," FG_FIELD("scale", FG_VECTOR) "," \
            FG_FIELD("override_color", FG_BOOLEAN) "," FG_FIELD("url", FG_STRING) "," \
            FG_FIELD("media_type", FG_STRING) "," \
            FG_FIELD("data", "{\"type\":\"string\",\"contentEncoding\":\"base64\"}"), \
            "\"pose\",\"scale\",\"color\",\"override_color\",\"url\",\"media_type\",\"data\"")
#define FG_PAIR \
  FG_OBJECT("foxglove.KeyValuePair", FG_FIELD("key", FG_STRING) "," FG_FIELD("value", FG_STRING), \
            "\"key\",\"value\"")
#define FG_ENTITY \
  FG_OBJECT("foxglove.SceneEntity", FG_FIELD("timestamp", FG_TIME) "," FG_FIELD("frame_id", FG_STRING) "," \
            FG_FIELD("id", FG_STRING) "," FG_FIELD("lifetime", FG_DURATION) "," \
            FG_FIELD("frame_locked", FG_BOOLEAN) "," FG_FIELD("metadata", FG_ARRAY(FG_PAIR)) "," \
            FG_FIELD("arrows", FG_ARRAY(FG_ARROW)) "," FG_FIELD("cubes", FG_ARRAY(FG_CUBE)) "," \
            FG_FIELD("spheres", FG_ARRAY(FG_SPHERE)) "," FG_FIELD("cylinders", FG_ARRAY(FG_CYLINDER)) "," \
            FG_FIELD("lines", FG_ARRAY(FG_LINE)) "," FG_FIELD("triangles", FG_ARRAY(FG_TRIANGLES)) "," \
            FG_FIELD("texts", FG_ARRAY(FG_TEXT)) "," FG_FIELD("models", FG_ARRAY(FG_MODEL)), \
            "\"timestamp\",\"frame_id\",\"id\",\"lifetime\",\"frame_locked\",\"metadata\",\"arrows\"," \
            "\"cubes\",\"spheres\",\"cylinders\",\"lines\",\"triangles\",\"texts\",\"models\"")
#define FG_DELETION \
  FG_OBJECT("foxglove.SceneEntityDeletion", FG_FIELD("timestamp", FG_TIME) "," \
            FG_FIELD("type", "{\"title\":\"foxglove.SceneEntityDeletionType\",\"oneOf\":[" \
                     "{\"title\":\"MATCHING_ID\",\"const\":0},{\"title\":\"ALL\",\"const\":1}]}") "," \
            FG_FIELD("id", FG_STRING), "\"timestamp\",\"type\",\"id\"")
#define FG_SCENE_UPDATE \
  FG_OBJECT("foxglove.SceneUpdate", FG_FIELD("deletions", FG_ARRAY(FG_DELETION)) "," \
            FG_FIELD("entities", FG_ARRAY(FG_ENTITY)), "\"deletions\",\"entities\"")
#define FG_TRANSFORM \
  FG_OBJECT("foxglove.FrameTransform", FG_FIELD("timestamp", FG_TIME) "," \
            FG_FIELD("parent_frame_id", FG_STRING) "," FG_FIELD("child_frame_id", FG_STRING) "," \
            FG_FIELD("translation", FG_VECTOR) "," FG_FIELD("rotation", FG_QUATERNION), \
            "\"timestamp\",\"parent_frame_id\",\"child_frame_id\",\"translation\",\"rotation\"")
#define FG_TRANSFORMS \
  FG_OBJECT("foxglove.FrameTransforms", FG_FIELD("transforms", FG_ARRAY(FG_TRANSFORM)), "\"transforms\"")
#define FG_JOINT \
  FG_OBJECT("foxglove.JointState", FG_FIELD("name", FG_STRING) "," FG_FIELD("position", FG_NUMBER) "," \
            FG_FIELD("velocity", FG_NUMBER) "," FG_FIELD("acceleration", FG_NUMBER) "," \
            FG_FIELD("effort", FG_NUMBER), "\"name\"")
#define FG_JOINTS \
  FG_OBJECT("foxglove.JointStates", FG_FIELD("timestamp", FG_TIME) "," \
            FG_FIELD("joints", FG_ARRAY(FG_JOINT)), "\"timestamp\",\"joints\"")
// clang-format on

#endif
