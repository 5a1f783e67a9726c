import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { run } from './processes.mjs';

/** States of a fuse, by @electron/fuses. */
const OFF = 48;
const ON = 49;

/** What is written into the program: which doors are shut (docs/packaging.md, "Fuses"). */
export async function checkFuses(program) {
  const { getCurrentFuseWire, FuseV1Options } = await import('@electron/fuses');
  const wire = await getCurrentFuseWire(program);
  const wanted = {
    RunAsNode: OFF,
    EnableCookieEncryption: ON,
    EnableNodeOptionsEnvironmentVariable: OFF,
    EnableNodeCliInspectArguments: OFF,
    EnableEmbeddedAsarIntegrityValidation: ON,
    OnlyLoadAppFromAsar: ON,
    LoadBrowserProcessSpecificV8Snapshot: OFF,
    GrantFileProtocolExtraPrivileges: OFF,
  };
  const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, wire[FuseV1Options[name]]]));
  assert.deepEqual(found, wanted);
}

/** The archive tells a sum of each of its files, block by block, and they are right. Returns how many there are. */
export async function checkArchive(resources, tools) {
  const archive = join(resources, 'app.asar');
  const { getRawHeader } = createRequire(join(tools, 'package.json'))('@electron/asar');
  const { header, headerSize } = getRawHeader(archive);
  const bytes = readFileSync(archive);
  let count = 0;
  const look = (folder, path) => {
    for (const [name, entry] of Object.entries(folder.files)) {
      if (entry.files) look(entry, `${path}${name}/`);
      else if (entry.link === undefined) {
        assert.ok(!entry.unpacked, `${path}${name} is outside the archive`);
        assert.equal(entry.integrity?.algorithm, 'SHA256', `${path}${name} has no checksum`);
        const start = 8 + headerSize + Number(entry.offset);
        const content = bytes.subarray(start, start + entry.size);
        assert.equal(sum(content), entry.integrity.hash, `${path}${name} has a different checksum`);
        const { blockSize, blocks } = entry.integrity;
        assert.deepEqual(
          blocks,
          Array.from({ length: blocks.length }, (_, i) => sum(content.subarray(i * blockSize, (i + 1) * blockSize))),
          `${path}${name} has different blocks`,
        );
        count++;
      }
    }
  };
  look(header, '');
  return count;
}
const sum = (content) => createHash('sha256').update(content).digest('hex');

/**
 * Ways in that the fuses shut, laid out beside a program that may be spoiled: `env` and `words` to start it with, and
 * `nothingCame` that throws where one was open.
 */
export function traps(home, work, port) {
  const mark = join(work, 'came-in');
  const code = (way) => `require('node:fs').appendFileSync(${JSON.stringify(mark)}, '${way}\\n');`;
  const preloaded = join(work, 'preloaded.cjs');
  writeFileSync(preloaded, code('NODE_OPTIONS'));
  const beside = join(home, 'resources', 'app');
  mkdirSync(beside);
  writeFileSync(join(beside, 'package.json'), '{"name":"other","main":"index.cjs"}');
  writeFileSync(join(beside, 'index.cjs'), code('a folder next to the archive'));
  return {
    env: { NODE_OPTIONS: `--require ${preloaded}` },
    words: [`--inspect=${port}`],
    async nothingCame() {
      assert.equal(existsSync(mark) ? readFileSync(mark, 'utf8') : '', '');
      await assert.rejects(
        new Promise((resolve, reject) => connect(port, '127.0.0.1').once('connect', resolve).once('error', reject)),
        /ECONNREFUSED/,
      );
    },
    /** Without a display an app ends at once, while a Node would have run the line. */
    async doesNotRunAsNode(program) {
      await run(program, ['-e', code('ELECTRON_RUN_AS_NODE')], {
        env: { PATH: '/usr/bin:/bin', ELECTRON_RUN_AS_NODE: '1', HOME: work },
        timeout: 15_000,
      });
      assert.equal(existsSync(mark), false);
    },
  };
}
