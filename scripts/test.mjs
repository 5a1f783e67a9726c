import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureSystem, programOf } from './lib/debian.mjs';
import { openDisplay } from './lib/display.mjs';
import { ensureElectron } from './lib/electron.mjs';
import { ensureInstalled, nodeOf } from './lib/install.mjs';
import { main, Problem } from './lib/problem.mjs';
import { run } from './lib/processes.mjs';
import * as suites from './lib/suites.mjs';

/**
 * `npm test`: everything, from a fresh clone; `npm test -- unit e2e` runs these suites alone, and what follows a second
 * `--` goes to the last of them. The last line is `N passed, N failed` over all suites; nothing is skipped silently.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const say = (line) => process.stdout.write(`${line}\n`);
const ALL = { types: suites.types, lint: suites.lint, rooms: suites.rooms, unused: suites.unused, build, unit: suites.unit, e2e, bench };
/** One after the other; in lanes side by side where each alone leaves a processor idle. */
const STAGES = [[['types', 'lint'], ['rooms', 'unused', 'build']], [['unit']], [['e2e']], [['bench']]];

const separator = process.argv.indexOf('--', 2);
const asked = process.argv.slice(2, separator < 0 ? undefined : separator);
const extra = separator < 0 ? [] : process.argv.slice(separator + 1);

await main(async () => {
  const unknown = asked.filter((name) => !(name in ALL));
  if (unknown.length > 0) throw new Problem(`There is no suite "${unknown[0]}".`, `Suites: ${Object.keys(ALL).join(', ')}.`);
  const total = { passed: 0, failed: 0 };
  let ready = true;
  try {
    await ensureInstalled(root, say);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    say(`✗ install: ${error.message}\n${error.remedy}`);
    total.failed++;
    ready = false;
  }
  const lane = async (names) => {
    for (const name of names) {
      if (!ready || (asked.length > 0 && !asked.includes(name))) continue;
      const started = Date.now();
      const { passed, failed, words } = await ALL[name](root);
      total.passed += passed;
      total.failed += failed;
      if (failed > 0) say(`\n${words.trim().split('\n').slice(-300).join('\n')}\n`);
      say(`${failed > 0 ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    }
  };
  for (const lanes of STAGES) await Promise.all(lanes.map(lane));
  say(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
});

async function build() {
  try {
    await ensureBuilt(root, () => {});
    return { passed: 1, failed: 0, words: '' };
  } catch (error) {
    return { passed: 0, failed: 1, words: `${error.message}\n${error.remedy ?? ''}` };
  }
}

/** Real Chromium and real Electron, on a display of their own. What is missing is named, and fails. */
async function e2e() {
  const built = await build();
  if (built.failed > 0) return built;
  const missing = await ensureSystem(say);
  if (missing.length > 0) return fault(`the tests in a browser and in the desktop window need system packages: ${missing.join(' ')}\nInstall them (Debian: apt-get install ${missing.join(' ')}) and try again.`);
  const electron = await ensureElectron(root, say);
  if (electron.executable === null) return fault(`no Electron to test the desktop window with: ${electron.reason}`);
  const chromium = await findChromium();
  if (!chromium) return fault('no Chromium: install it, or let Playwright fetch one (npx playwright install chromium)');
  const display = process.platform === 'linux' ? await openDisplay() : null;
  try {
    return await suites.e2e(root, { YARDMASTER_E2E_ELECTRON: electron.executable, YARDMASTER_E2E_CHROMIUM: chromium, YARDMASTER_NODE: nodeOf(root), ...(display ? { DISPLAY: display.name, WAYLAND_DISPLAY: '' } : {}) }, extra);
  } catch (error) {
    return fault(error.message);
  } finally {
    display?.close();
  }
}

/** On what is built. */
async function bench() {
  const built = await build();
  return built.failed > 0 ? built : suites.bench(root);
}

const fault = (words) => ({ passed: 0, failed: 1, words });

async function findChromium() {
  const found = ['chromium', 'chromium-browser', 'google-chrome'].map(programOf).find(Boolean);
  if (found) return found;
  const { code, output } = await run(nodeOf(root), ['-e', "const { chromium } = require('@playwright/test'); const { existsSync } = require('node:fs'); const path = chromium.executablePath(); if (existsSync(path)) console.log(path); else process.exit(1)"], { cwd: root });
  if (code === 0) return output.trim();
  const fetched = await run(nodeOf(root), ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], { cwd: root, timeout: 180_000 });
  return fetched.code === 0 ? findChromium() : null;
}
