import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import 'vitest/config';
import { asciiSources, BUNDLED, builtinsAsAsked, modulesOnDemand, sharedInOne, STARTED } from './node-build.ts';

/** What tests alone start. */
const OF_TESTS = {
  'worker-process': resolve('src/worker/start.fixture.ts'),
  'ingest-child': resolve('src/server/logs/store/write/ingest-process.fixture.ts'),
  'pipeline-child': resolve('src/server/logs/pipeline/pipeline-process.fixture.ts'),
  'log-side-child': resolve('src/server/listeners/log-side.fixture.ts'),
};
const INPUTS = ['scripts/lib/node-build.ts', 'scripts/lib/built-threads.ts', 'package-lock.json'];
const HOUR_MS = 3_600_000;

/**
 * Threads and processes of tests as the product has them, one file each: from the sources, Node reads, strips and links some
 * hundred files at every start, and the tests start thousands. Made anew where a source has changed; where tests run on while
 * sources change (`vitest` without `run`), they are read from the sources as they are.
 */
export async function builtThreads(): Promise<Plugin[]> {
  if (!process.argv.includes('run')) return [];
  const folder = await ensureBuilt();
  const url = `${pathToFileURL(folder).href}/`;
  const here = resolve('src/lib/thread-file.ts');
  return [
    {
      name: 'built-threads',
      enforce: 'pre',
      // Vitest keeps what it made of a module while the module's text is the same: of this one the folder would be that of older sources.
      configureVitest: ({ defineCacheKeyGenerator }) =>
        defineCacheKeyGenerator(({ id }) => (id === here ? false : undefined)),
      load: (id) =>
        id === here
          ? `export const threadFile = (_here, _source, built) => new URL(built, ${JSON.stringify(url)});`
          : undefined,
    },
  ];
}

/** The folder of what these sources make. Several may make it at once: the first is kept. */
async function ensureBuilt(): Promise<string> {
  const folder = resolve('.cache', `threads-${digest()}`);
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      plugins: [modulesOnDemand(), builtinsAsAsked(), asciiSources()],
      ssr: { noExternal: BUNDLED },
      build: {
        ssr: true,
        outDir: fresh,
        emptyOutDir: true,
        target: 'node24',
        rollupOptions: {
          input: { ...STARTED, ...OF_TESTS },
          output: {
            ...{ entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', format: 'es' },
            codeSplitting: sharedInOne(),
          },
        },
      },
    });
    try {
      renameSync(fresh, folder);
    } catch {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  const now = new Date();
  utimesSync(folder, now, now);
  for (const name of readdirSync('.cache'))
    if (name.startsWith('threads-') && Date.now() - statSync(join('.cache', name)).mtimeMs > HOUR_MS)
      rmSync(join('.cache', name), { recursive: true, force: true });
  return folder;
}

/** Changes with the path, size or time of any input. */
function digest(): string {
  const hash = createHash('sha256');
  const sources = ['contract', 'lib', 'server', 'worker'].flatMap((room) =>
    readdirSync(join('src', room), { recursive: true, encoding: 'utf8' }).map((name) => join('src', room, name)),
  );
  for (const name of [...INPUTS, ...sources.filter((name) => /(?<!\.test)\.ts$/.test(name)).sort()]) {
    const stat = statSync(name, { throwIfNoEntry: false });
    if (stat) hash.update(`${name}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
