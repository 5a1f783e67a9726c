#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=73728 node --max-semi-space-size=4 --v8-pool-size=1 --no-parallel-scavenge
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Fault } from '../lib/fault.ts';
import { onStopSignal } from '../lib/stop-signals.ts';
import { firstLine } from './first-line.ts';
import type { ProcessIo } from './process-io.ts';
import { run } from './program.ts';

/** The `yardmaster` command: hands the real process to `run` and exits with its code. */

const stopping = new AbortController();
let hearsSignals = false;

/** Only commands that can stop in order ask for this; the others end at once, as a terminal user expects. */
function hearSignals(): AbortSignal {
  if (!hearsSignals) {
    hearsSignals = true;
    onStopSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stopping.abort());
  }
  return stopping.signal;
}

const io: ProcessIo = {
  env: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  write: (bytes) => new Promise((resolve) => process.stdout.write(bytes, () => resolve())),
  stdin: () => text(process.stdin),
  firstLine: () => firstLine(process.stdin),
  interactive: process.stdin.isTTY === true,
  async load(entry) {
    const file = new URL(entry, import.meta.url);
    if (!existsSync(file)) throw new Fault('NOT_BUILT', `${fileURLToPath(file)} is missing: run \`npm run build\``);
    return import(file.href);
  },
  get stopped() {
    return hearSignals();
  },
  onParentGone(callback) {
    process.on('disconnect', callback);
    process.stdin.on('end', callback).on('close', callback).on('error', callback).resume();
  },
  columns: process.stdout.isTTY ? process.stdout.columns : null,
};

// A reader that went away (`| head`) is no fault of the command, and must not stop a master.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

/** better-sqlite3 ends an older Node by a segmentation fault instead of an error: it needs Node-API 10. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 14)) {
  process.stderr.write(
    `yardmaster requires Node 22.14 or newer; this is ${process.version}. In the repository, use: npm run -s yardmaster -- …\n`,
  );
  process.exit(1);
}

const code = await run(process.argv.slice(2), io);
// Where output is asynchronous, what was printed must be out before the process is.
for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write('', resolve));
process.exit(code);
