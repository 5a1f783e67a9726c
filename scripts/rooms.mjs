// The walls between the rooms (rooms.json), checked in a copy of the tree in which every forbidden import is planted: each
// must be reported, and nothing else. A checker that reads nothing would find a tree without plants sound.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { rooms, roots, floor, knots: knownKnots } = JSON.parse(readFileSync(join(repository, 'rooms.json'), 'utf8'));
const names = Object.keys(rooms);
/** Files that may reach each other by their imports, types counted: more have to be read together to be understood. */
const KNOT_FILES = 4;
const FEATURES = 'src/renderer/features';
const problems = [];

const { planted, real } = plantAndCruise();
for (const { rule, from, to } of real.violations) problems.push(`${rule.name}: ${from} → ${to}`);
if (real.modules < floor)
  problems.push(
    `only ${real.modules} modules were read; at least ${floor} are expected. The checker does not see the whole tree`,
  );
for (const cycle of real.featureCycles) problems.push(`features import each other in a cycle: ${cycle}`);
for (const knot of real.knots)
  problems.push(`${knot.length} files import each other in a cycle; the maximum is ${KNOT_FILES}: ${knot.join(', ')}`);
for (const folder of foldersWithoutRoom())
  problems.push(`${folder} is not listed in rooms.json: add the folder and its allowed imports`);
for (const file of sources(join(repository, 'src')))
  if (isBarrel(readFileSync(file, 'utf8')))
    problems.push(`${relative(repository, file)} only re-exports: import from the original files`);

for (const line of problems) console.log(`✗ ${line}`);
console.log(
  `rooms: ${real.modules} modules, ${real.imports} imports, ${problems.length} problems; ${planted} planted imports checked`,
);
process.exit(problems.length === 0 ? 0 : 1);

/**
 * Copies the tree, plants what is forbidden and what is allowed, and demands that of the plants exactly the forbidden are
 * reported; returns how many they are, and what was found of the tree itself. No file of the tree imports a plant, so that they
 * change nothing about it.
 */
function plantAndCruise() {
  const copy = mkdtempSync(join(tmpdir(), 'rooms-'));
  try {
    cpSync(join(repository, 'src'), join(copy, 'src'), { recursive: true });
    for (const file of ['rooms.json', '.dependency-cruiser.mjs', 'package.json'])
      cpSync(join(repository, file), join(copy, file));
    for (const folder of ['node_modules', 'docs', 'scripts']) symlinkSync(join(repository, folder), join(copy, folder));
    const plants = [...wallPlants(), ...rulePlants()];
    const files = new Map(
      [...names, ...roots].map((folder) => [
        `${folder}/planted-target.ts`,
        'export const target = 1;\nexport type Target = 1;\n',
      ]),
    );
    for (const { from, text } of plants) files.set(from, (files.get(from) ?? '') + text);
    for (const [file, text] of files) write(copy, file, text);
    const { modules, violations } = cruise(copy);
    const found = new Set(violations.map(({ from, to }) => `${from} → ${to}`));
    for (const { from, to, illegal } of plants) {
      const reported =
        to === null ? [...found].some((line) => line.startsWith(`${from} → `)) : found.has(`${from} → ${to}`);
      if (illegal && !reported) problems.push(`not caught: ${from} → ${to ?? '(any)'}`);
      if (!illegal && reported) problems.push(`wrongly caught: ${from} → ${to ?? '(any)'}`);
    }
    if (knotsIn(modules).every((knot) => !knot.some((file) => file.startsWith('src/lib/planted-knot'))))
      problems.push(`not caught: ${KNOT_FILES + 1} files that know each other by types`);
    const own = modules.filter(({ source }) => !files.has(source));
    if (featureCycles(modules).length === 0) problems.push('not caught: features that import each other in a circle');
    return {
      planted: plants.length,
      real: {
        modules: own.length,
        imports: own.reduce((sum, { dependencies }) => sum + dependencies.length, 0),
        violations: violations.filter(({ from }) => !files.has(from)),
        featureCycles: featureCycles(own),
        knots: knotsIn(own).filter(
          (knot) => !knot.every((file) => knownKnots.some((folder) => file.startsWith(folder))),
        ),
      },
    };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Each room against each other one and against the composition roots, as a value and as a type: a file of each room for either has them all. */
function wallPlants() {
  const plants = [];
  for (const room of names) {
    for (const [kind, statement] of [
      ['value', 'import { target as'],
      ['type', 'import type { Target as'],
    ]) {
      const from = `${room}/planted-${kind}.ts`;
      for (const [i, target] of [...names, ...roots].entries()) {
        if (target === room) continue;
        const to = `${target}/planted-target.ts`;
        plants.push({
          from,
          to,
          illegal: !rooms[room].includes(target),
          text: `${statement} T${i} } from '${pathTo(room, to)}';\n`,
        });
      }
    }
  }
  return plants;
}

/** The rules beside the walls. */
function rulePlants() {
  const port = 'src/server/logs/port.ts';
  return [
    {
      from: 'src/lib/planted-a.ts',
      to: 'src/lib/planted-b.ts',
      illegal: true,
      text: "import { b } from './planted-b.ts';\nexport const a = () => b;\n",
    },
    // The other half of that cycle, which is reported once.
    {
      from: 'src/lib/planted-b.ts',
      to: 'src/lib/planted-none.ts',
      illegal: false,
      text: "import { a } from './planted-a.ts';\nexport const b = () => a;\n",
    },
    {
      from: 'src/renderer/ui/planted-core.ts',
      to: null,
      illegal: true,
      text: "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n",
    },
    {
      from: `${FEATURES}/overview/planted-inside.ts`,
      to: `${FEATURES}/alerts/rules/RuleForm.tsx`,
      illegal: true,
      text: "import { RuleForm } from '../alerts/rules/RuleForm.tsx';\nexport const inside = RuleForm;\n",
    },
    {
      from: `${FEATURES}/overview/sections/planted-offered.ts`,
      to: `${FEATURES}/alerts/AlertsPage.tsx`,
      illegal: false,
      text: "import { AlertsPage } from '../../alerts/AlertsPage.tsx';\nexport const offered = AlertsPage;\n",
    },
    // The way back of what overview takes from alerts: no file imports another in a circle, the two features do.
    {
      from: `${FEATURES}/alerts/rules/planted-back.ts`,
      to: `${FEATURES}/overview/OverviewPage.tsx`,
      illegal: false,
      text: "import { OverviewPage } from '../../overview/OverviewPage.tsx';\nexport const back = OverviewPage;\n",
    },
    {
      from: 'src/lib/planted-lost.ts',
      to: null,
      illegal: true,
      text: "import { gone } from './no-such-file.ts';\nexport const lost = gone;\n",
    },
    {
      from: 'src/server/jobs/planted-port-type.ts',
      to: port,
      illegal: false,
      text: "import type { Logs } from '../logs/port.ts';\nexport type Planted = Logs;\n",
    },
    {
      from: 'src/server/jobs/planted-port-value.ts',
      to: port,
      illegal: true,
      text: "import { Logs } from '../logs/port.ts';\nexport const planted = Logs;\n",
    },
    {
      from: 'src/server/logs/planted/port.ts',
      to: 'src/server/logs/planted-target.ts',
      illegal: true,
      text: "import { target } from '../planted-target.ts';\nexport const planted = target;\n",
    },
    {
      from: 'src/server/alerts/planted/port.ts',
      to: 'src/server/alerts/planted-target.ts',
      illegal: false,
      text: "import type { Target } from '../planted-target.ts';\nexport type Planted = Target;\n",
    },
    // A ring of one file more than may know each other, by types alone.
    ...Array.from({ length: KNOT_FILES + 1 }, (_, i) => ({
      from: `src/lib/planted-knot-${i}.ts`,
      to: 'src/lib/planted-none.ts',
      illegal: false,
      text: `import type { K${(i + 1) % (KNOT_FILES + 1)} } from './planted-knot-${(i + 1) % (KNOT_FILES + 1)}.ts';\nexport type K${i} = K${(i + 1) % (KNOT_FILES + 1)}[];\n`,
    })),
    {
      from: 'src/main/planted-port.ts',
      to: port,
      illegal: true,
      text: "import type { Logs } from '../server/logs/port.ts';\nexport type Planted = Logs;\n",
    },
  ];
}

/** Features of the console that reach themselves by the imports of their files; each circle once, as the path that leads round. */
function featureCycles(modules) {
  const featureAt = (path) => new RegExp(`^${FEATURES}/([^/]+)/`).exec(path)?.[1];
  const imports = new Map();
  for (const { source, dependencies } of modules) {
    const from = featureAt(source);
    if (from === undefined) continue;
    const to = imports.get(from) ?? new Set();
    for (const { resolved } of dependencies) {
      const feature = featureAt(resolved);
      if (feature !== undefined && feature !== from) to.add(feature);
    }
    imports.set(from, to);
  }
  const cycles = [];
  const done = new Set();
  const visit = (feature, path) => {
    if (path.includes(feature)) cycles.push([...path.slice(path.indexOf(feature)), feature].join(' → '));
    if (path.includes(feature) || done.has(feature)) return;
    for (const next of imports.get(feature) ?? []) visit(next, [...path, feature]);
    done.add(feature);
  };
  for (const feature of imports.keys()) visit(feature, []);
  return cycles;
}

/** Files that reach each other by their imports (types as well), more of them than may: strongly connected parts of the graph (Tarjan). */
function knotsIn(modules) {
  const imports = new Map(
    modules
      .filter(({ source }) => !/\.(test|fake|fixture)\.tsx?$/.test(source))
      .map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]),
  );
  const order = new Map();
  const lowest = new Map();
  const open = [];
  const knots = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    open.push(file);
    for (const next of imports.get(file)) {
      if (!imports.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const knot = open.splice(open.indexOf(file));
    if (knot.length > KNOT_FILES) knots.push(knot.sort());
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return knots;
}

function cruise(folder) {
  const bin = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [bin, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'src'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 512 * 1024 * 1024 },
  );
  try {
    const { modules, summary } = JSON.parse(stdout);
    return { modules: modules.filter(({ source }) => source.startsWith('src/')), violations: summary.violations };
  } catch {
    console.error(`dependency-cruiser failed:\n${stderr}${stdout.slice(0, 2000)}`);
    process.exit(1);
  }
}

function foldersWithoutRoom() {
  return ['src', ...roots].flatMap((parent) =>
    readdirSync(join(repository, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${parent}/${entry.name}`)
      .filter(
        (folder) => !names.includes(folder) && !roots.includes(folder) && sources(join(repository, folder)).length > 0,
      ),
  );
}

function sources(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((file) => /\.tsx?$/.test(file) && statSync(file).isFile());
}

function isBarrel(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const rest = code.replace(/export\s+(type\s+)?(\*(\s+as\s+\w+)?|\{[^}]*\})\s+from\s+['"][^'"]+['"];?/g, '');
  return rest !== code && rest.replace(/import\s[^;]*;/g, '').trim() === '';
}

function pathTo(room, target) {
  const path = relative(room, target);
  return path.startsWith('.') ? path : `./${path}`;
}

function write(root, file, text) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
