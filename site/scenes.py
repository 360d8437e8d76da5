#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies the page that simulates (build/web) to app/, and the engine of live scenes (build/element, docs/manual/javascript.md) with the
scenes of the site, into the built site. Without them the site is complete: app/ leads to the page of the manual, and scenes are
pictures."""
import os
import shutil

SITE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(SITE)
OUT = os.path.join(ROOT, 'build', 'site')
SCENES = ['models/hrp2_like.xml', 'models/hrp2_like_robot.xml', 'scenes/ramp.xml']

shutil.copy(os.path.join(ROOT, 'docs', 'manual', 'pictures', 'walk.webp'), os.path.join(OUT, 'hero.webp'))
shutil.copy(os.path.join(ROOT, 'web', 'public', 'icon.svg'), os.path.join(OUT, 'icon.svg'))
element = os.path.join(ROOT, 'build', 'element')
if not os.path.exists(os.path.join(element, 'heft-scene.js')):
    print('site: build/element is missing (npm run gallery in web/): scenes are pictures')
else:
    target = os.path.join(OUT, 'heft')
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(element, target, ignore=shutil.ignore_patterns('gallery'))
    cases = os.path.join(element, 'gallery', 'cases')
    if os.path.isdir(cases):
        shutil.copytree(cases, os.path.join(target, 'cases'))
    os.makedirs(os.path.join(target, 'scenes'))
    for name in SCENES:
        shutil.copy(os.path.join(ROOT, name), os.path.join(target, 'scenes'))
    print('site: live scenes: ' + ', '.join(SCENES))

app, built = os.path.join(OUT, 'app'), os.path.join(ROOT, 'build', 'web')
shutil.rmtree(app, ignore_errors=True)
if os.path.exists(os.path.join(built, 'index.html')):
    shutil.copytree(built, app)
else:
    print('site: build/web is missing (npm run build in web/): app/ leads to the manual')
    os.makedirs(app)
    with open(os.path.join(app, 'index.html'), 'w', encoding='utf-8') as file:
        file.write('<!doctype html><html lang="en"><meta charset="utf-8"><title>Heft</title>'
                   '<meta http-equiv="refresh" content="0; url=../manual/browser.html"></html>\n')
