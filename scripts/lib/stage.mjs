import { chromiumHere, ensureSystem } from './debian.mjs';
import { openDisplay } from './display.mjs';
import { ensureElectron } from './electron.mjs';
import { nodeOf } from './install.mjs';
import { Problem } from './problem.mjs';
import { run } from './processes.mjs';

/**
 * What tests in a browser and in the desktop window need beside the packages of npm: packages of the system, Chromium,
 * Electron and a display of their own, each brought once. `fetchSystem` needs nothing and `fetchElectron` the packages: they
 * are begun early, and run beside what else is to be done.
 */
export function createStage(root, log) {
  let system = null;
  let electron = null;
  let chromium = null;
  let whole = null;
  let display = null;
  const stage = {
    fetchSystem: () => (system ??= begun(ensureSystem(log))),
    fetchElectron: () => (electron ??= begun(ensureElectron(root, log))),
    /** The environment of what runs in Chromium; rejects with a `Problem` that names what is missing. */
    forChromium: () => (chromium ??= begun(openChromium())),
    /** The same for what also runs in the desktop window. */
    forAll: () => (whole ??= begun(openAll())),
    close: () => display?.close(),
  };
  return stage;

  async function openChromium() {
    const missing = await stage.fetchSystem();
    if (missing.length > 0)
      throw new Problem(
        `the browser and desktop tests need system packages: ${missing.join(' ')}`,
        `Install them (Debian: apt-get install ${missing.join(' ')}) and try again.`,
      );
    const found = await findChromium(root);
    if (!found)
      throw new Problem(
        'no Chromium',
        'Install Chromium, or let Playwright download it (npx playwright install chromium).',
      );
    return { YARDMASTER_E2E_CHROMIUM: found, YARDMASTER_NODE: nodeOf(root) };
  }

  async function openAll() {
    const [env, { executable, reason }] = await Promise.all([stage.forChromium(), stage.fetchElectron()]);
    if (executable === null) throw new Problem(`no Electron for the desktop tests: ${reason}`, '');
    if (process.platform !== 'linux') return { ...env, YARDMASTER_E2E_ELECTRON: executable };
    display = await openDisplay().catch((error) => Promise.reject(new Problem(error.message, '')));
    return { ...env, YARDMASTER_E2E_ELECTRON: executable, DISPLAY: display.name, WAYLAND_DISPLAY: '' };
  }
}

/** Whoever waits for it hears of its failure; until somebody does, that is no error of the process. */
function begun(promise) {
  promise.catch(() => {});
  return promise;
}

async function findChromium(root) {
  const found = chromiumHere();
  if (found) return found;
  const { code, output } = await run(
    nodeOf(root),
    [
      '-e',
      "const { chromium } = require('@playwright/test'); const { existsSync } = require('node:fs'); const path = chromium.executablePath(); if (existsSync(path)) console.log(path); else process.exit(1)",
    ],
    { cwd: root },
  );
  if (code === 0) return output.trim();
  const fetched = await run(nodeOf(root), ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
    cwd: root,
    timeout: 180_000,
  });
  return fetched.code === 0 ? findChromium(root) : null;
}
