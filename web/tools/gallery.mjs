// SPDX-License-Identifier: Apache-2.0
// After the build of the element: writes the notices, and the cases of the gallery by the native command, which checks each of them.
// HEFT names another command than build/ci/bin/heft.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNotices } from './notices.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
writeNotices(path.join(root, 'build/element'), ['three/LICENSE', 'heft/NOTICES.txt', '@mujoco/mujoco/package.json']);
const heft = process.env.HEFT ?? path.join(root, 'build/ci/bin/heft');
execFileSync(heft, ['validate', '--scenes', path.join(root, 'scenes'), '--live', path.join(root, 'build/element/gallery/cases')], { stdio: ['ignore', 'ignore', 'inherit'] });
