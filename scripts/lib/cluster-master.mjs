import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

const RESTART_MS = 3_000;
const MOST_RESTART_MS = 30_000;
/** One that lives this long was no failed start. */
const SOUND_MS = 20_000;
const LAST_LINES = 8;

/**
 * A master as a process of its own that is started again whenever it ends. What it says goes to `logFile`. It leads a process
 * group, so that a Ctrl-C reaches it through us alone, and ends when we are gone (`--exit-with-parent`).
 *
 * `onReady({pid, url, again})`, `onEnd({pid, how, words, restartMs})`: `how` says by what, `words` are its last lines.
 * Returns `{pid, url, stop()}`: null while it does not run, or is not ready; a second `stop()` does not wait for running tasks.
 */
export function keepMaster({ command, args, env, logFile, restartMs = RESTART_MS, onReady, onEnd }) {
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
  let child = null;
  let url = null;
  let stopping = false;
  let timer = null;
  let failures = 0;
  let starts = 0;
  let ended = Promise.resolve();

  function start() {
    timer = null;
    const began = Date.now();
    const last = [];
    const again = starts++ > 0;
    const own = spawn(command, [...args, '--json', '--exit-with-parent'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      env,
    });
    child = own;
    own.stdin.on('error', () => {});
    const keep = (line) => {
      log.write(`${line}\n`);
      last.push(line);
      if (last.length > LAST_LINES) last.shift();
    };
    createInterface({ input: own.stderr }).on('line', keep);
    createInterface({ input: own.stdout }).once('line', (line) => {
      ({ url } = JSON.parse(line));
      onReady({ pid: own.pid, url, again });
    });
    ended = new Promise((resolve) => {
      const done = (how) => {
        child = null;
        url = null;
        resolve();
        if (stopping) return;
        failures = Date.now() - began < SOUND_MS ? failures + 1 : 0;
        const pauseMs = Math.min(restartMs * 2 ** Math.max(0, failures - 1), MOST_RESTART_MS);
        timer = setTimeout(start, pauseMs);
        onEnd({ pid: own.pid, how, words: last, restartMs: pauseMs });
      };
      own.once('error', (error) => done(`could not be started (${error.message})`));
      own.once('close', (code, signal) =>
        done(signal === null ? `ended (exit code ${code})` : `was ended by ${signal}`),
      );
    });
  }
  start();

  return {
    get pid() {
      return child?.pid ?? null;
    },
    get url() {
      return url;
    },
    async stop() {
      const how = stopping ? 'SIGKILL' : 'SIGTERM';
      stopping = true;
      clearTimeout(timer);
      child?.kill(how);
      // One that somebody froze by hand hears of it only when it goes on.
      if (process.platform !== 'win32') child?.kill('SIGCONT');
      await ended;
      log.end();
    },
  };
}
