#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The npm package as a user gets it: packed, installed in an empty project, used by a small script, and its types
# checked with `tsc --strict`. Without npm, or without TypeScript from its registry, the test skips that part.
# usage: package.sh NPM_FOLDER WORK_FOLDER     e.g. build/wasm-simd/npm build/wasm-simd/npm-test
set -eu

npm=$(cd "$1" && pwd)
command -v npm >/dev/null || { echo "skipped: npm was not found"; exit 77; }
rm -rf "$2"
mkdir -p "$2"
cd "$2"
npm pack --silent "$npm" >pack.log
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --offline ./heft-*.tgz
cat >ball.mjs <<'END'
import { init, World } from 'heft';

const heft = await init();
const model = heft.load(`<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 1">
      <freejoint/>
      <geom type="sphere" size="0.1"/>
    </body>
  </worldbody>
</mujoco>`);
const world = new World(model, { timeStep: 1e-3 });
const report = world.step(2000);
console.log(report.status, world.bodyPose('ball').pos[2].toFixed(6));
END
out=$(node ball.mjs)
[ "$out" = "solved 0.100000" ] || { echo "ball.mjs printed '$out'"; exit 1; }

# HEFT_TYPESCRIPT: a folder with TypeScript, so that it is fetched once.
typescript=${HEFT_TYPESCRIPT:-$PWD/typescript}
if [ ! -e "$typescript/node_modules/.bin/tsc" ]; then
  mkdir -p "$typescript"
  echo '{"private": true}' >"$typescript/package.json"
  (cd "$typescript" && timeout 120 npm install --no-audit --no-fund --no-package-lock --ignore-scripts typescript) >npm.log 2>&1 || {
    echo "the package runs; types were not checked: TypeScript could not be fetched"
    exit 77
  }
fi
cat >right.ts <<'END'
import { init, World, Batch, HeftError, type Contact, type StepReport, type WorldOptions } from 'heft';
import { RemoteWorld, type Frame } from 'heft/remote';

const heft = await init();
const model = heft.load({ 'a.xml': '<mujoco/>' }, { main: 'a.xml', strict: true, base: 'floating', warn: (w) => console.log(w.message) });
const options: WorldOptions = { timeStep: 1e-3, contactModel: 'exact', contactOptions: { facets: 8 } };
const world = new World(model, options);
const report: StepReport = world.step();
const status: 'solved' | string = report.status;
const contacts: Contact[] = world.contacts;
world.controls.set([1, 2]);
const hash: bigint = world.hash;
const mass: number | undefined = model.arrays.bodyMass[0];
new Batch(model, 10).step(5);
const remote = await RemoteWorld.start();
remote.onframe = (frame: Frame) => console.log(frame.time);
console.log(status, contacts.length, hash, mass, new World(model) instanceof World, HeftError.name);
END
sed 's/timeStep/timeSteps/' right.ts >wrong.ts
check() {
  "$typescript/node_modules/.bin/tsc" --strict --noEmit --target es2022 --module nodenext --moduleResolution nodenext \
    --lib es2023,dom "$1"
}
echo '{"type": "module", "dependencies": {"heft": "*"}}' >package.json
check right.ts || exit 1
if check wrong.ts >/dev/null; then
  echo "tsc takes a name that does not exist"
  exit 1
fi
echo "$(basename heft-*.tgz): $(wc -c <"$(echo heft-*.tgz)") bytes packed; types checked by tsc $("$typescript/node_modules/.bin/tsc" --version)"
