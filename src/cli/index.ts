#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Fault } from '../lib/fault.ts';
import type { Io } from './io.ts';
import { run } from './program.ts';

/** The `yardmaster` command: hands the real process to `run` and exits with its code. */

const stopping = new AbortController();
let hearsSignals = false;

/** Only commands that can stop in order ask for this; the others end at once, as a terminal user expects. */
function hearSignals(): AbortSignal {
  if (!hearsSignals) {
    hearsSignals = true;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (stopping.signal.aborted) process.exit(130);
        stopping.abort();
      });
    }
  }
  return stopping.signal;
}

const io: Io = {
  env: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  stdin: () => text(process.stdin),
  async load(entry) {
    const file = new URL(entry, import.meta.url);
    if (!existsSync(file)) throw new Fault('NOT_BUILT', `${fileURLToPath(file)} is missing: build it with \`npm run build\``);
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

const code = await run(process.argv.slice(2), io);
// Where output is asynchronous, what was printed must be out before the process is.
for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write('', resolve));
process.exit(code);
