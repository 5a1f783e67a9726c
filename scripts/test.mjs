import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled, nodeOf } from './lib/install.mjs';
import { main, Problem } from './lib/problem.mjs';
import { createStage } from './lib/stage.mjs';
import * as suites from './lib/suites.mjs';
import { ownTemporaryFolder } from './lib/temporary.mjs';

/**
 * `npm test`, from a fresh clone: the checks of the code, the unit tests but those of clusters, and the end-to-end tests of
 * users' main goals. `npm test -- all`: everything, as CI runs it. `npm test -- unit e2e` runs these suites alone, and what
 * follows a second `--` is for the end-to-end tests, which are one run then. The last line is `N passed, N failed` over all
 * suites; nothing is skipped silently.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const log = (line) => process.stdout.write(`${line}\n`);
const stage = createStage(root, log);
const SUITES = {
  types: suites.types,
  lint: suites.lint,
  rooms: suites.rooms,
  unused: suites.unused,
  build: () => onTheBuild(() => ({ passed: 1, failed: 0, words: '', failures: [] })),
  unit: async () => {
    await stage.fetchSystem();
    return suites.unit(root);
  },
  cluster: async () => {
    await stage.fetchSystem();
    return suites.cluster(root);
  },
  goals: () => onTheBuild(async () => suites.goals(root, await stage.forAll())),
  pages: () => onTheBuild(async () => suites.pages(root, await stage.forChromium())),
  desktop: () => onTheBuild(async () => suites.desktop(root, await stage.forAll())),
  faults: () => onTheBuild(() => suites.faults(root, { YARDMASTER_NODE: nodeOf(root) })),
  e2e: () => onTheBuild(async () => suites.e2e(root, await stage.forAll(), extra)),
  bench: () => onTheBuild(async () => suites.bench(root, await stage.forChromium())),
};
/**
 * What is run before a commit, within 12 minutes on two processors. The unit tests are the longest part, so they begin at once. `goals`
 * run beside them: two windows at most, unlike `pages`.
 */
const EVERYDAY = [[['unit'], ['build', 'types', 'lint', 'rooms', 'unused', 'goals']]];
/**
 * One phase after the other; the lanes of a phase side by side, and the suites of a lane one after the other. The page tests alone
 * keep two processors busy, with some twenty threads. Beside them the windows of the desktop app took ten times as long, and tests
 * that waited for them timed out. So nothing that waits runs beside them. `goals` are among `pages`, `desktop` and `faults`.
 */
const ALL = [
  [
    ['build', 'pages'],
    ['types', 'lint', 'rooms', 'unused'],
  ],
  [
    ['unit', 'cluster', 'bench'],
    ['goals', 'desktop', 'e2e', 'faults'],
  ],
];

const separator = process.argv.indexOf('--', 2);
const extra = separator < 0 ? [] : process.argv.slice(separator + 1);
const named = process.argv.slice(2, separator < 0 ? undefined : separator);
const PARTS = {
  e2e: extra.length > 0 ? ['e2e'] : ['pages', 'desktop', 'faults'],
  all: Object.keys(SUITES).filter((name) => name !== 'goals' && name !== 'e2e'),
};
const asked = named.length === 0 ? EVERYDAY.flat(2) : named.flatMap((name) => PARTS[name] ?? [name]);
const isAsked = (name) => asked.includes(name);
const phases = named.length === 0 ? EVERYDAY : ALL;

await main(async () => {
  const unknown = asked.find((name) => !(name in SUITES));
  if (unknown)
    throw new Problem(`Unknown suite "${unknown}".`, `Suites: ${Object.keys(SUITES).join(', ')}; or all of them: all.`);
  if (extra.length > 0 && !isAsked('e2e'))
    throw new Problem(
      'What follows a second -- is for the end-to-end tests.',
      'For example: npm test -- e2e -- failover',
    );
  const forgotten = Object.keys(SUITES).filter((name) => !ALL.flat(2).includes(name));
  if (forgotten.length > 0) throw new Problem(`In no phase: ${forgotten.join(', ')}.`, 'Add it to ALL.');
  ownTemporaryFolder();
  const total = { passed: 0, failed: 0, failures: [] };
  if (['unit', 'cluster', 'goals', 'pages', 'desktop', 'e2e', 'bench'].some(isAsked)) stage.fetchSystem();
  try {
    await ensureInstalled(root, log);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log(`✗ install: ${error.message}\n${error.remedy}`);
    log('0 passed, 1 failed');
    return 1;
  }
  if (['goals', 'desktop', 'e2e'].some(isAsked)) stage.fetchElectron();
  const lane = async (names) => {
    for (const name of names.filter(isAsked)) {
      const started = Date.now();
      const { passed, failed, words, failures } = await SUITES[name](root);
      total.passed += passed;
      total.failed += failed;
      total.failures.push(...failures.map((failure) => `✗ ${name}: ${failure}`));
      if (failed > 0) log(`\n${words.trim().split('\n').slice(-300).join('\n')}\n`);
      log(
        `${failed > 0 ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed (${((Date.now() - started) / 1000).toFixed(1)} s)`,
      );
    }
  };
  try {
    for (const lanes of phases) await Promise.all(lanes.map(lane));
  } finally {
    stage.close();
  }
  // Once more at the end: a suite that failed may have said so thousands of lines ago.
  for (const failure of total.failures) log(`\n${failure}`);
  log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
});

/** A suite of what is built. What keeps it from running is its failure. */
async function onTheBuild(suite) {
  try {
    await ensureBuilt(root, () => {});
    return await suite();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const words = `${error.message}\n${error.remedy}`;
    return { passed: 0, failed: 1, words, failures: [words] };
  }
}
