import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { writtenAddresses } from './scripts/lib/addresses.ts';
import { writtenSchemas } from './scripts/lib/written-schemas.ts';
import { packedAssets } from './scripts/lib/packed-assets.ts';
import {
  asciiSources,
  BUNDLED,
  builtinsAsAsked,
  modulesOnDemand,
  sharedInOne,
  STARTED,
} from './scripts/lib/node-build.ts';

// The page is served under paths of any depth (`/jobs/<id>`), so its assets need absolute addresses; electron-vite insists
// on relative ones unless a plugin speaks after it.
const absoluteBase = () => ({
  name: 'absolute-base',
  config(config: { base?: string }) {
    config.base = '/';
  },
});

/** The types of `yardmaster/worker`, beside the build of the process: in `<outDir>/types`. */
const sdkTypes = () => ({
  name: 'sdk-types',
  writeBundle({ dir = 'out/main' }: { dir?: string }) {
    execFileSync(
      process.execPath,
      [resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.sdk.json', '--outDir', resolve(dir, '../types')],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
  },
});

/**
 * All that the console needs before its first page is one file, and asked for with the page itself: as a hundred small ones,
 * found one after the other, they took longer to fetch than to run. What must run before it (the language) is a file of its own,
 * and never the entry's: the entry waits for the first file, so a first file that imports from the entry would wait for ever.
 */
const FIRST = {
  name: 'first',
  test: /src[\\/]renderer[\\/](?:start|features[\\/]overview[\\/]OverviewPage)\.tsx$/,
  priority: 1,
};
const BEFORE = {
  name: 'before',
  tags: ['$initial' as const],
  test: (id: string) => !/[\\/](?:main\.tsx|index\.html)(?:\?|$)/.test(id),
  priority: 2,
};
/** What every page writes with: the Latin letters of both typefaces. Those of other scripts are loaded where they occur. */
const PRELOADED_FONT = /-latin-wght-normal-[^/]+\.woff2$/;
const firstAtOnce = () => ({
  name: 'first-at-once',
  transformIndexHtml: {
    order: 'post' as const,
    handler(
      _html: string,
      {
        bundle = {},
      }: {
        bundle?: Record<
          string,
          { type: string; name?: string; fileName: string; viteMetadata?: { importedCss: Set<string> } }
        >;
      },
    ) {
      const first = Object.values(bundle).find(({ type, name }) => type === 'chunk' && name === FIRST.name);
      if (first === undefined) throw new Error('the build has no chunk named first');
      const styles = [...(first.viteMetadata?.importedCss ?? [])].map((file) => ({
        tag: 'link',
        attrs: { rel: 'stylesheet', crossorigin: true, href: `/${file}` },
        injectTo: 'head' as const,
      }));
      const fonts = Object.values(bundle)
        .filter(({ fileName }) => PRELOADED_FONT.test(fileName))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${fileName}` },
          injectTo: 'head' as const,
        }));
      if (fonts.length !== 2) throw new Error(`two typefaces are loaded with the page, the build has ${fonts.length}`);
      return [
        ...fonts,
        {
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${first.fileName}` },
          injectTo: 'head' as const,
        },
        ...styles,
      ];
    },
  },
});

/** One build for every process. `main` holds the desktop shell, the entries that plain Node runs, and their threads. */
export default defineConfig({
  main: {
    plugins: [modulesOnDemand(), builtinsAsAsked(), sdkTypes(), writtenAddresses(), asciiSources()],
    build: {
      externalizeDeps: { exclude: BUNDLED },
      license: { fileName: 'licenses.md' },
      rollupOptions: {
        input: {
          index: resolve('src/main/index.ts'),
          master: resolve('src/server/entry.ts'),
          'data-folder': resolve('src/server/data-folder-entry.ts'),
          worker: resolve('src/worker/start.ts'),
          // The package's entry `yardmaster/worker`.
          sdk: resolve('src/worker/sdk.ts'),
          cli: resolve('src/cli/index.ts'),
          pipeline: resolve('src/server/pipeline-entry.ts'),
          ...STARTED,
        },
        output: {
          ...{ entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', format: 'es' },
          // A process keeps the text of what it runs.
          comments: { jsdoc: false },
          codeSplitting: sharedInOne(),
        },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload must be CommonJS.
      rollupOptions: {
        input: { index: resolve('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react(), absoluteBase(), firstAtOnce(), writtenAddresses(), writtenSchemas(), packedAssets()],
    // The oldest engine that draws the console: Chromium 130 of the fallback desktop runtime.
    build: {
      minify: true,
      target: 'chrome130',
      rollupOptions: {
        input: { index: resolve('src/renderer/index.html') },
        output: { codeSplitting: { groups: [BEFORE, FIRST] } },
      },
    },
  },
});
