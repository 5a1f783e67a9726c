import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './processes.mjs';

/** What the tests need of the system: how it is recognised, and the Debian package that brings it. */
const NEEDS = [
  { package: 'git', program: 'git' },
  { package: 'chromium', program: 'chromium' },
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
  return (process.env.PATH ?? '').split(delimiter).concat('/usr/bin', '/usr/sbin', '/sbin').map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/**
 * Linux: installs what is missing where that is ours to do (apt, as root), and returns the names of what is still
 * missing. Elsewhere windows need no packages; git alone is looked for.
 */
export async function ensureSystem(say) {
  if (process.platform !== 'linux') return programOf('git') || process.platform === 'win32' ? [] : ['git'];
  let missing = await missingPackages();
  if (missing.length > 0 && process.getuid?.() === 0 && programOf('apt-get')) {
    say(`Installing system packages: ${missing.join(' ')} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (...args) => run('apt-get', ['-q', '-o', 'Acquire::Retries=3', ...args], { env });
    const updated = await apt('update');
    const installed = await apt('install', '-y', '--no-install-recommends', ...missing);
    if (installed.code !== 0) say([updated, installed].map((r) => r.output.trim().split('\n').slice(-4).join('\n')).join('\n'));
    missing = await missingPackages();
  }
  return missing;
}

async function missingPackages() {
  const { output: libraries } = await run(programOf('ldconfig') ?? 'ldconfig', ['-p']);
  return NEEDS.filter((need) => (need.program ? !programOf(need.program) : !libraries.includes(`${need.library} `))).map((need) => need.package);
}
