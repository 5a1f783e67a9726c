import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environmentOf, nodeOf } from './install.mjs';
import { run } from './processes.mjs';

/**
 * Each suite ends in `{passed, failed, words, failures}`. `words` are shown where something failed; `failures` name the tests
 * that failed, with the start of what each said.
 */

const bin = (root, ...path) => join(root, 'node_modules', ...path);
const node = (root, args, env = {}) =>
  run(nodeOf(root), args, { cwd: root, env: { ...environmentOf(root), ...env, FORCE_COLOR: '0' } });
/** Where many processes run the same code, what Node compiled of it is kept from one to the next. */
const compiled = (root) => ({ NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') });

/** A command that passes or fails as one. */
async function check(root, args, env = {}) {
  const { code, output } = await node(root, args, env);
  return {
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    words: output,
    failures: code === 0 ? [] : [start(output)],
  };
}

/** The first lines of what a test or a check said, and the last of a runner that left no report. */
const start = (words) => words.trim().split('\n').slice(0, 12).join('\n');
const end = (words) => words.trim().split('\n').slice(-12).join('\n');

// On one thread: several check much of the same types again, each for itself, where other suites run beside (26 s of the processor rather than 44).
export const types = (root) => check(root, [bin(root, 'typescript', 'bin', 'tsc'), '-b', '--singleThreaded']);
export const lint = async (root) => {
  const results = [
    await check(root, [bin(root, 'oxfmt', 'bin', 'oxfmt'), '--check']),
    // Rules that ask for types run in a Go program, of which each thread checks much of the same types again (37 s of the processor rather than 48).
    await check(root, [bin(root, 'oxlint', 'bin', 'oxlint')], { GOMAXPROCS: '1' }),
  ];
  return results.reduce((sum, { passed, failed, words, failures }) => ({
    passed: sum.passed + passed,
    failed: sum.failed + failed,
    words: sum.words + words,
    failures: [...sum.failures, ...failures],
  }));
};
export const rooms = (root) => check(root, [join(root, 'scripts', 'rooms.mjs')]);
export const unused = (root) => check(root, [bin(root, 'knip', 'bin', 'knip.js')]);

export const unit = (root) => vitest(root, 'unit', ['unit', 'alone']);
/** Unit tests of clusters, and of what else needs a PostgreSQL. */
export const cluster = (root) => vitest(root, 'cluster', ['cluster']);

/** Counts come from the tool's own report; a run without one is a failure, and so is a test that was skipped. */
async function vitest(root, name, projects) {
  const report = reportFile(root, `${name}.json`);
  const { code, output } = await node(root, [
    bin(root, 'vitest', 'vitest.mjs'),
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const result = readReport(report);
  if (!result) return { passed: 0, failed: 1, words: output, failures: [end(output)] };
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
    failures: result.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failing = assertionResults.filter((test) => test.status === 'failed');
      if (failing.length === 0 && status === 'failed') return [`${name}\n${start(message ?? '')}`];
      return failing.map((test) => `${name} › ${test.fullName}\n${start(test.failureMessages[0] ?? '')}`);
    }),
  };
}

const E2E = ['chromium', 'electron', 'cli', 'workers', 'faults'].map((project) => `--project=${project}`);
/**
 * Tests of pages keep the processors busy; those of faults mostly wait for leases and restarts. `desktop`: the desktop window,
 * the command line and the examples of workers. `goals`: of all these the tests of main goals of users, which are tagged `@goal`.
 * `e2e`: what its arguments ask for.
 */
export const goals = (root, env) => playwright(root, env, 'e2e-goals', [...E2E, '--grep=@goal', '--workers=2']);
export const pages = (root, env) => playwright(root, env, 'e2e-pages', ['--project=chromium', '--workers=3']);
export const desktop = (root, env) =>
  playwright(root, env, 'e2e-desktop', ['--project=electron', '--project=cli', '--project=workers', '--workers=1']);
export const faults = (root, env) => playwright(root, env, 'e2e-faults', ['--project=faults', '--workers=1']);
export const e2e = (root, env, args) => playwright(root, env, 'e2e', args);

async function playwright(root, env, name, args) {
  const report = reportFile(root, `${name}.json`);
  const { code, output } = await node(
    root,
    [bin(root, '@playwright', 'test', 'cli.js'), 'test', `--output=${join('test-results', name)}`, ...args],
    { ...compiled(root), ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  );
  const result = readReport(report);
  if (!result?.stats) return { passed: 0, failed: 1, words: output, failures: [end(output)] };
  const failed = result.stats.unexpected + result.stats.flaky + result.stats.skipped;
  return {
    passed: result.stats.expected,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    words: output,
    failures: result.suites.flatMap(failuresIn),
  };
}

function failuresIn({ file, specs = [], suites = [] }) {
  const failing = specs.filter(({ tests }) => tests.some(({ status }) => status !== 'expected'));
  const said = ({ tests }) => tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message ?? '';
  return [...failing.map((spec) => `${file} › ${spec.title}\n${start(said(spec))}`), ...suites.flatMap(failuresIn)];
}

/**
 * A short run of every benchmark: that it runs to its end and measures something, not how fast. Figures are for a quiet
 * machine and a long run.
 */
export async function bench(root, env) {
  const names = readdirSync(join(root, 'bench')).filter((file) => file.endsWith('.ts'));
  const sum = { passed: 0, failed: 0, words: '', failures: [] };
  const lane = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const { output } = await node(root, [join(root, 'bench', name), '--quick'], { ...compiled(root), ...env });
      if (hasFigures(output)) sum.passed++;
      else {
        sum.failed++;
        sum.words += `bench/${name} printed no valid summary:\n${output}\n`;
        sum.failures.push(`bench/${name}\n${end(output)}`);
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
