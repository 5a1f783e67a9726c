import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './processes.mjs';

/** Chromium as tests use it, best first: the one without a window saves a third of the processor time of a test in a browser. */
const CHROMIUMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** What the tests need of the system: how it is recognised, the Debian package that brings it, and what else will do. */
const NEEDS = [
  { package: 'git', program: 'git' },
  // No browser needs it: the tests behind a proxy tell themselves that it is missing.
  { package: 'nginx-light', program: 'nginx', optional: true },
  {
    package: 'chromium-headless-shell',
    program: 'chromium-headless-shell',
    otherwise: { package: 'chromium', programs: CHROMIUMS },
  },
  { package: 'xvfb', program: 'Xvfb' },
  { package: 'xauth', program: 'xauth' },
  { package: 'libgtk-3-0', library: 'libgtk-3.so.0' },
  { package: 'libnss3', library: 'libnss3.so' },
  { package: 'libasound2', library: 'libasound.so.2' },
  { package: 'libgbm1', library: 'libgbm.so.1' },
  { package: 'libxss1', library: 'libXss.so.1' },
  { package: 'libatk-bridge2.0-0', library: 'libatk-bridge-2.0.so.0' },
  { package: 'libdrm2', library: 'libdrm.so.2' },
];

export function programOf(name) {
  return (
    (process.env.PATH ?? '')
      .split(delimiter)
      .concat('/usr/bin', '/usr/sbin', '/sbin')
      .map((folder) => join(folder, name))
      .find((file) => existsSync(file)) ?? null
  );
}

/** The Chromium of this machine that tests and benches use, or undefined. `YARDMASTER_E2E_CHROMIUM` comes first. */
export const chromiumHere = () => process.env.YARDMASTER_E2E_CHROMIUM || CHROMIUMS.map(programOf).find(Boolean);

/**
 * Linux: installs what is missing where that is ours to do (apt, as root), and returns the names of what is still
 * missing. Elsewhere windows need no packages; git alone is looked for.
 */
export async function ensureSystem(log) {
  if (process.platform !== 'linux') return programOf('git') || process.platform === 'win32' ? [] : ['git'];
  let missing = await missingNeeds();
  if (missing.length > 0 && process.getuid?.() === 0 && programOf('apt-get')) {
    log(`Installing system packages: ${missing.map((need) => need.package).join(' ')} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (...args) =>
      run('apt-get', ['-q', '-o', 'Acquire::Retries=3', '-o', 'Acquire::http::Timeout=30', ...args], { env });
    const install = (packages) =>
      packages.length > 0 ? apt('install', '-y', '--no-install-recommends', ...packages) : { code: 0, output: '' };
    const updated = await apt('update');
    let installed = await install(missing.map((need) => need.package));
    // A package that this system does not know keeps all of them from it.
    if (installed.code !== 0) installed = await install(inevitable(missing));
    if (installed.code !== 0)
      log([updated, installed].map((r) => r.output.trim().split('\n').slice(-4).join('\n')).join('\n'));
    missing = await missingNeeds();
  }
  return inevitable(missing);
}

/** The packages without which it does not go. */
const inevitable = (needs) =>
  needs
    .filter(({ otherwise, optional }) => !optional && !otherwise?.programs.some(programOf))
    .map((need) => need.otherwise?.package ?? need.package);

async function missingNeeds() {
  const { output: libraries } = await run(programOf('ldconfig') ?? 'ldconfig', ['-p']);
  return NEEDS.filter((need) => (need.program ? !programOf(need.program) : !libraries.includes(`${need.library} `)));
}
