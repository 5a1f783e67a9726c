import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environmentOf, nodeOf } from './install.mjs';
import { run } from './processes.mjs';

/** Each suite ends in `{passed, failed, words}`; `words` are shown where something failed. */

const bin = (root, ...path) => join(root, 'node_modules', ...path);
const node = (root, args, env = {}) =>
  run(nodeOf(root), args, { cwd: root, env: { ...environmentOf(root), ...env, FORCE_COLOR: '0' } });
/** Where many processes run the same code, what Node compiled of it is kept from one to the next. */
const compiled = (root) => ({ NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') });

/** A command that passes or fails as one. */
async function check(root, args) {
  const { code, output } = await node(root, args);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, words: output };
}

// On one thread: several check much of the same types again, each for itself, where other suites run beside (26 s of the processor rather than 44).
export const types = (root) => check(root, [bin(root, 'typescript', 'bin', 'tsc'), '-b', '--singleThreaded']);
export const lint = async (root) => {
  const results = [
    await check(root, [bin(root, 'oxfmt', 'bin', 'oxfmt'), '--check']),
    await check(root, [bin(root, 'oxlint', 'bin', 'oxlint')]),
  ];
  return results.reduce((sum, { passed, failed, words }) => ({
    passed: sum.passed + passed,
    failed: sum.failed + failed,
    words: sum.words + words,
  }));
};
export const rooms = (root) => check(root, [join(root, 'scripts', 'rooms.mjs')]);
export const unused = (root) => check(root, [bin(root, 'knip', 'bin', 'knip.js')]);

/** Counts come from the tool's own report; a run without one is a failure, and so is a test that was skipped. */
export async function unit(root) {
  const report = reportFile(root, 'unit.json');
  const { code, output } = await node(root, [
    bin(root, 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const result = readReport(report);
  if (!result) return { passed: 0, failed: 1, words: output };
  const skipped = result.numPendingTests + result.numTodoTests;
  // A file that could not be loaded, or an error outside any test, fails no test: it counts as one.
  const outside = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  const failed = result.numFailedTests + outside + skipped;
  return {
    passed: result.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    words: skipped > 0 ? `${output}\n${skipped} tests were skipped` : output,
  };
}

/** Tests of pages and commands keep the processors busy; those of faults mostly wait for leases and restarts. `e2e`: what its arguments ask for. */
export const pages = (root, env) =>
  playwright(root, env, 'e2e-pages', [
    '--project=chromium',
    '--project=electron',
    '--project=cli',
    '--project=workers',
    '--workers=3',
  ]);
export const faults = (root, env) => playwright(root, env, 'e2e-faults', ['--project=faults', '--workers=1']);
export const e2e = (root, env, args) => playwright(root, env, 'e2e', args);

async function playwright(root, env, name, args) {
  const report = reportFile(root, `${name}.json`);
  const { code, output } = await node(
    root,
    [bin(root, '@playwright', 'test', 'cli.js'), 'test', `--output=${join('test-results', name)}`, ...args],
    { ...compiled(root), ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  );
  const stats = readReport(report)?.stats;
  if (!stats) return { passed: 0, failed: 1, words: output };
  const failed = stats.unexpected + stats.flaky + stats.skipped;
  return { passed: stats.expected, failed: failed === 0 && code !== 0 ? 1 : failed, words: output };
}

/**
 * A short run of every benchmark: that it runs to its end and measures something, not how fast. Figures are for a quiet
 * machine and a long run.
 */
export async function bench(root, env) {
  const names = readdirSync(join(root, 'bench')).filter((file) => file.endsWith('.ts'));
  const sum = { passed: 0, failed: 0, words: '' };
  const lane = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const { output } = await node(root, [join(root, 'bench', name), '--quick'], { ...compiled(root), ...env });
      if (hasFigures(output)) sum.passed++;
      else {
        sum.failed++;
        sum.words += `bench/${name} printed no valid summary:\n${output}\n`;
      }
    }
  };
  // Two at a time: their figures count for nothing here.
  await Promise.all([lane(), lane()]);
  return sum;
}

function hasFigures(output) {
  const last = output
    .trim()
    .split('\n')
    .findLast((line) => line.startsWith('{"summary"'));
  try {
    return JSON.parse(last).targets.every(({ value }) => Number.isFinite(value));
  } catch {
    return false;
  }
}

function reportFile(root, name) {
  const file = join(root, '.cache', 'reports', name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}

function readReport(file) {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  } catch {
    return null;
  }
}
