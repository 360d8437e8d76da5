// SPDX-License-Identifier: Apache-2.0
// OpenGL without a window: EGL on Mesa's surfaceless platform, or on the default display. Pictures
// are drawn into framebuffer objects, so that no surface is needed.
#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <heft/view.h>
#include "view/memory.h"

struct HeftHeadless {
  HeftAllocator allocator;
  EGLDisplay display;
  EGLContext context;
};

static int library_exists(const char* name) {
  void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library) dlclose(library);
  return library != NULL;
}

// libepoxy opens these libraries at the first call of a function, and ends the program if there are
// none.
static int libraries_exist(void) {
  return library_exists("libEGL.so.1") &&
         (library_exists("libOpenGL.so.0") || library_exists("libGL.so.1"));
}

static EGLDisplay open_display(void) {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLint major = 0, minor = 0;
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
      epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base"))
    display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  if (display != EGL_NO_DISPLAY && eglInitialize(display, &major, &minor)) return display;
  display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (display != EGL_NO_DISPLAY && eglInitialize(display, &major, &minor)) return display;
  return EGL_NO_DISPLAY;
}

static EGLContext open_context(EGLDisplay display) {
  static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                      3,
                                      EGL_CONTEXT_MINOR_VERSION,
                                      3,
                                      EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                      EGL_NONE};
  static const EGLint command[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE,
                                   EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = NULL;
  EGLint count = 0;
  if (!eglBindAPI(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
  if (!eglChooseConfig(display, command, &config, 1, &count) || count < 1) config = NULL;
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT) return EGL_NO_CONTEXT;
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return context;
  eglDestroyContext(display, context);
  return EGL_NO_CONTEXT;
}

HeftStatus heft_headless_create(HeftHeadless** out, HeftError* error) {
  const HeftAllocator allocator = heft_allocator_default();
  *out = NULL;
  EGLDisplay display = libraries_exist() ? open_display() : EGL_NO_DISPLAY;
  if (display == EGL_NO_DISPLAY)
    return view_fail(error, HEFT_ERR_UNSUPPORTED,
                     "no EGL display was found; install Mesa's software renderer "
                     "(Debian: apt install libegl1 libgl1-mesa-dri)");
  EGLContext context = open_context(display);
  if (context == EGL_NO_CONTEXT) {
    eglTerminate(display);
    return view_fail(error, HEFT_ERR_UNSUPPORTED,
                     "the driver has no OpenGL 3.3; update it, or draw in software with "
                     "LIBGL_ALWAYS_SOFTWARE=1 (Debian: apt install libgl1-mesa-dri)");
  }
  HeftHeadless* h = view_take(&allocator, sizeof *h);
  if (!h) {
    eglDestroyContext(display, context);
    eglTerminate(display);
    return view_fail(error, HEFT_ERR_MEMORY, "not enough memory for a drawing context");
  }
  *h = (HeftHeadless){allocator, display, context};
  *out = h;
  return HEFT_OK;
}

void heft_headless_destroy(HeftHeadless* headless) {
  if (!headless) return;
  eglMakeCurrent(headless->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(headless->display, headless->context);
  eglTerminate(headless->display);
  const HeftAllocator allocator = headless->allocator;
  view_give(&allocator, headless, sizeof *headless);
}
