// SPDX-License-Identifier: Apache-2.0
// Marks of pressure: a map in colours of each two bodies that touch, its outline and its centre of
// pressure.
#ifndef HEFT_APPS_VIEW_PRESSURE_MAP_H
#define HEFT_APPS_VIEW_PRESSURE_MAP_H

#include <heft/view.h>

/// thick: of lines [m]; length: of one newton [m].
void pressure_map_add(HeftMarks* marks, const HeftModel* model, const HeftSnapshot* snapshot,
                      double thick, double length);

#endif
