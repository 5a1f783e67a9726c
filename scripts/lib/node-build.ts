import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';

/** How that is built which plain Node runs: for the product (electron.vite.config.ts), and for what tests start (built-threads.ts). */

/**
 * Packages that become part of the build: as a thousand files of their own, each looked for, read and linked, they took longer
 * to load than all of ours. Those with native code or WebAssembly stay outside. Their licences are in `licenses.md` beside it.
 */
export const BUNDLED = [
  '@simplewebauthn/server',
  'ajv',
  'ajv-formats',
  'commander',
  'eventsource-parser',
  'fastify',
  'jsonata',
  'modern-tar',
  'nodemailer',
  're2js',
  'rfc6902',
  'typebox',
  'ws',
  'yaml',
];

/** Files that a process starts as threads and processes of its own (`threadFile`), by their names in the build. */
export const STARTED = {
  // Files that a process starts as worker threads.
  'worker-thread': resolve('src/worker/code/thread-main.ts'),
  // A process that a worker starts.
  'expression-process': resolve('src/worker/expressions/process-main.ts'),
  // A process that the master starts for shadow replays.
  'replay-process': resolve('src/worker/shadow/process-main.ts'),
  'offload-thread': resolve('src/server/http/offload/offload-thread.ts'),
  'read-thread': resolve('src/server/jobs/queries/thread/read-thread.ts'),
  'search-thread': resolve('src/server/jobs/search/index-thread.ts'),
  'scan-thread': resolve('src/server/jobs/bulk/scan-thread.ts'),
  'checkpoint-thread': resolve('src/server/store/sqlite/checkpoint-thread.ts'),
  'replica-thread': resolve('src/server/cluster/replica/replica-thread.ts'),
  'snapshot-thread': resolve('src/server/cluster/replica/snapshot-thread.ts'),
  'verify-thread': resolve('src/server/store/sqlite/verify-thread.ts'),
  'archive-thread': resolve('src/server/jobs/retention/archive-thread.ts'),
  'backup-thread': resolve('src/server/backup/backup-thread.ts'),
  'pipeline-thread': resolve('src/server/logs/pipeline/pipeline-thread.ts'),
  'log-convert-thread': resolve('src/server/logs/http/convert-thread.ts'),
  'log-writer': resolve('src/server/logs/store/write/writer-thread.ts'),
  'log-encoder': resolve('src/server/logs/store/write/encoder-thread.ts'),
  'log-merger': resolve('src/server/logs/store/merge/merge-thread.ts'),
  'log-remote': resolve('src/server/logs/remote/remote-thread.ts'),
  'log-reader': resolve('src/server/logs/store/read/reader-thread.ts'),
  'telemetry-thread': resolve('src/server/telemetry/telemetry-thread.ts'),
  'metric-thread': resolve('src/server/metrics/store/store-thread.ts'),
  'remote-write-thread': resolve('src/server/metrics/remote-write/remote-write-thread.ts'),
  'remote-metric-thread': resolve('src/server/metrics/remote/remote-thread.ts'),
};

/** What each process and thread of Node has loaded before it runs anything of ours, or loads in no time. */
const AT_HAND = new Set(
  ['async_hooks', 'buffer', 'events', 'fs', 'fs/promises', 'module', 'os', 'path', 'timers', 'timers/promises']
    .concat('url', 'util', 'worker_threads')
    .map((name) => `node:${name}`),
);

interface ModuleGraph {
  getModuleInfo(
    id: string,
  ): { readonly importedIds: readonly string[]; readonly dynamicallyImportedIds: readonly string[] } | null;
}

/** From so many of `STARTED` on a module goes to the file that all of them load. */
const SHARED_WIDELY = 3;

/**
 * Small modules that several processes and threads share, and that load nothing but each other and what is at hand anyway, in two
 * files: one for all, and one for what no thread needs, with what that loads. As a hundred files of a few lines, looked for, read
 * and linked one by one, they were a fifth of a start. They import no other file of the build, so that nothing runs before what it needs.
 */
export const sharedInOne = () => {
  const light = new Map<string, boolean>();
  function isLight(id: string, graph: ModuleGraph): boolean {
    const before = light.get(id);
    if (before !== undefined) return before;
    // Those that import each other in a ring are left as they are.
    light.set(id, false);
    const info = id.startsWith('node:') ? null : graph.getModuleInfo(id);
    const found =
      info === null
        ? AT_HAND.has(id)
        : /[\\/]src[\\/].*\.ts$/.test(id) && info.importedIds.every((one) => isLight(one, graph));
    light.set(id, found);
    return found;
  }
  /** How many of `STARTED` load each module, at once or later. */
  let users: Map<string, number> | null = null;
  function usersOf(graph: ModuleGraph): Map<string, number> {
    const counts = new Map<string, number>();
    for (const entry of Object.values(STARTED)) {
      const seen = new Set<string>();
      const visit = (id: string): void => {
        if (seen.has(id)) return;
        seen.add(id);
        const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
        for (const one of [...importedIds, ...dynamicallyImportedIds]) visit(one);
      };
      visit(entry);
      for (const id of seen) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }
  function nameOf(id: string, graph: ModuleGraph): string | null {
    if (!isLight(id, graph)) return null;
    users ??= usersOf(graph);
    const many = users.get(id) ?? 0;
    if (many === 0) return 'shared-main';
    return many >= SHARED_WIDELY ? 'shared' : null;
  }
  return { groups: [{ name: nameOf, minShareCount: 2, maxModuleSize: 20_000 }] };
};

interface Chunk {
  readonly type: string;
  code?: string;
}

/**
 * Node's own modules by `require`: an `import` of one reads every property that it has, and with those of `node:http` loads
 * all of Node's fetch, in each process and thread, which is a sixth of the time of a start. Not in what Electron runs.
 */
export const builtinsAsAsked = () => ({
  name: 'builtins-as-asked',
  generateBundle(_: unknown, bundle: Record<string, Chunk>) {
    for (const [name, chunk] of Object.entries(bundle)) {
      if (chunk.code === undefined || name === 'index.js') continue;
      const code = chunk.code
        .replaceAll(
          /^import \{([^}]*)\} from "(node:[^"]+)";$/gm,
          (_match, names: string, from: string) => `const {${names.replaceAll(' as ', ': ')}} = ownRequire("${from}");`,
        )
        .replaceAll(
          /^import ([\w$]+), \{([^}]*)\} from "(node:[^"]+)";$/gm,
          (_match, whole: string, names: string, from: string) =>
            `const ${whole} = ownRequire("${from}"), {${names.replaceAll(' as ', ': ')}} = ${whole};`,
        )
        .replaceAll(/^import ([\w$]+) from "(node:[^"]+)";$/gm, 'const $1 = ownRequire("$2");');
      if (code !== chunk.code)
        chunk.code = code.replace(
          /^(#!.*\n)?/,
          '$1import { createRequire as requireFrom } from "node:module"; const ownRequire = requireFrom(import.meta.url);\n',
        );
    }
  },
});

/** What packages ask for as they are loaded, and then only need for plugins with a version, TLS, HTTP/2 and compressed messages. */
const ON_DEMAND: Readonly<Record<string, readonly string[]>> = {
  'fastify/lib/plugin-utils.js': ['semver'],
  'fastify/lib/server.js': ['http2', 'https'],
  'ws/lib/websocket.js': ['https', 'tls'],
  'ws/lib/permessage-deflate.js': ['zlib'],
};

/** These are loaded where they are used: in each process and thread they take as long as all the rest of the package. */
export const modulesOnDemand = () => ({
  name: 'modules-on-demand',
  transform(code: string, id: string) {
    const file = Object.keys(ON_DEMAND).find((name) => id.replaceAll('\\', '/').endsWith(`/node_modules/${name}`));
    if (file === undefined) return null;
    return { code: (ON_DEMAND[file] ?? []).reduce(onDemand, code), map: null };
  },
});

function onDemand(code: string, name: string): string {
  const declared = new RegExp(`^const ${name} = require\\('(?:node:)?${name}'\\);?$`, 'm');
  const rest = code.replace(declared, '');
  if (rest === code) throw new Error(`a package no longer asks for ${name} in a line of its own`);
  return rest.replaceAll(
    new RegExp(`(?<![\\w$.'"{-])${name}\\.(?=[a-zA-Z_])`, 'g'),
    `require('${isBuiltin(name) ? 'node:' : ''}${name}').`,
  );
}

/**
 * Everything in ASCII: one arrow in a text would make V8 keep the whole file with two bytes for each character, for as long as the
 * process lives, and each of its threads and workers again.
 */
export const asciiSources = () => ({
  name: 'ascii-sources',
  generateBundle(_: unknown, bundle: Record<string, Chunk>) {
    for (const [name, chunk] of Object.entries(bundle)) {
      if (chunk.code === undefined) continue;
      if (RAW_TEXT.test(chunk.code))
        throw new Error(
          `${name} has a String.raw with a character beyond ASCII: an escape would not mean the same there`,
        );
      chunk.code = asAscii(chunk.code);
    }
  },
});

const RAW_TEXT = /String\.raw`[^`\P{ASCII}]*\P{ASCII}/u;

/** The same program: in texts, regular expressions and names an escape means its character. */
export const asAscii = (code: string): string =>
  code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
