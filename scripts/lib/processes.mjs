import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** A Ctrl-C reaches us from the terminal and again from npm: signals this close together are one. */
const SAME_SIGNAL_MS = 700;

/**
 * Runs a command to its end and keeps what it wrote (the last 200,000 characters).
 * Returns `{code, output}`; a command that cannot be started has code 127.
 */
export function run(command, args, { onText, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const take = (chunk) => {
      output = (output + chunk).slice(-200_000);
      onText?.(String(chunk));
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.once('close', (code, signal) => resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), output }));
  });
}

/**
 * Runs a command in our place: same standard streams, signals handed on once, its exit code. With `own: true` it leads
 * a process group of its own, so that a Ctrl-C reaches it through us alone and it may end its children in order.
 */
export function stand(command, args, { own = false, onStderr, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: [own ? 'ignore' : 'inherit', 'inherit', onStderr ? 'pipe' : 'inherit'],
      detached: own && process.platform !== 'win32',
      ...options,
    });
    let signalled = false;
    const hearing = hearSignals((signal) => {
      // In the terminal's group a Ctrl-C has reached the child already.
      if (!own && signal === 'SIGINT' && process.stdin.isTTY) return;
      signalled = true;
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
    child.stderr?.on('data', (chunk) => onStderr(String(chunk)));
    const done = (code) => {
      hearing.close();
      resolve({ code, signalled });
    };
    child.once('error', () => done(127));
    child.once('close', (code, signal) => done(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/** Calls `heard` at each signal to end, one that comes twice counted once; an npm that is gone counts as SIGTERM. */
function hearSignals(heard) {
  let last = -Infinity;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const take = (signal) => {
    if (performance.now() - last < SAME_SIGNAL_MS) return;
    last = performance.now();
    heard(signal);
  };
  for (const signal of signals) process.on(signal, take);
  // An npm that was killed hands nothing on.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (!process.env.npm_lifecycle_event || process.ppid === parent) return;
    clearInterval(watch);
    take('SIGTERM');
  }, 500);
  return {
    close() {
      for (const signal of signals) process.off(signal, take);
      clearInterval(watch);
    },
  };
}

/**
 * For a script that ends in order: `heard` resolves at the first signal to end, or at `stop(why)` with that; `asked` is true from
 * then on; `onAgain` is called at the second one.
 */
export function hearStops() {
  let resolve;
  let again = () => {};
  const stops = {
    asked: false,
    heard: new Promise((done) => (resolve = done)),
    onAgain: (run) => (again = run),
    stop(why) {
      stops.asked = true;
      resolve(why);
    },
    close: () => hearing.close(),
  };
  const hearing = hearSignals(() => (stops.asked ? again() : stops.stop('')));
  return stops;
}

/** What npm says went wrong, without its codes and stacks. */
export function wordsOfNpm(output) {
  const told = [...output.matchAll(/^npm (?:error|ERR!) (\S.*)$/gm)].map(([, line]) => line.replace(/ \{$/, ''));
  return told.filter((line) => !/^(?:code|errno|syscall|path|dest) |^[{}]|complete log of this run/.test(line));
}
