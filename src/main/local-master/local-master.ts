import { BACKOFF, type BackoffRule, createBackoff } from '../../lib/backoff.ts';
import type { LocalStatus } from '../../contract/ipc.ts';
import type { LocalFile, ReadyLine } from '../../contract/process.ts';
import type { Target } from '../connections/connections.ts';
import { isHealthy } from './find-running.ts';
import type { MasterProcess, StartProcess } from './master-process.ts';

export interface LocalMasterOptions {
  /** Null: this Electron cannot run a master. */
  start: StartProcess | null;
  /** After `master --json`, asked for at each start. */
  args(): readonly string[];
  dataFolder: string;
  /** A master on the data folder that is there already. */
  find(): Promise<LocalFile | null>;
  /** How long a drain may take before the process is killed. */
  stopSeconds: number;
  backoff?: BackoffRule;
}

export interface LocalMaster {
  status(): LocalStatus;
  /** Null: it does not run. */
  target(): Target | null;
  start(): Promise<void>;
  /** An adopted master is let go, not stopped. */
  stop(): Promise<void>;
  onChange(listener: (status: LocalStatus) => void): void;
  /** Resolves once it is no longer starting, or after so many milliseconds. */
  started(milliseconds: number): Promise<void>;
}

const LINES_KEPT = 50;
/** Ends before it ever served, in a row: then it is a fault to mend, not to repeat. */
const ATTEMPTS = 3;
const STEADY_MS = 60_000;
/** What it said longer before its end than this had nothing to do with it. */
const DYING_MS = 2000;
const ADOPTED_CHECK_MS = 3000;
/** Another master has the data folder, which does not answer any more (or not yet): it is waited for. */
const FOLDER_IN_USE = 'DATA_FOLDER_LOCKED';

/**
 * The master of this machine. States: off → starting → running; an unasked end → restarting (back-off) → starting; too
 * many ends before it served → failed; stopping → off. One that runs already on the data folder is adopted: watched, and
 * replaced by an own one when it ends; one that is just ending, as that of an app that was killed, is waited for.
 */
export function createLocalMaster(options: LocalMasterOptions): LocalMaster {
  const backoff = createBackoff(options.backoff ?? BACKOFF.localMaster);
  const lockBackoff = createBackoff(
    options.backoff ? { ...options.backoff, mostMs: BACKOFF.lockedFolder.mostMs } : BACKOFF.lockedFolder,
  );
  const listeners: ((status: LocalStatus) => void)[] = [];
  let status: LocalStatus = {
    state: 'off',
    url: null,
    pid: null,
    adopted: false,
    dataFolder: options.dataFolder,
    since: new Date().toISOString(),
    restarts: 0,
    message: null,
    code: null,
    ports: null,
    lines: [],
  };
  let target: Target | null = null;
  let child: MasterProcess | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  /** Raised by each start and stop: what an older one still awaits is void. */
  let round = 0;
  let whenEnded: (() => void)[] = [];
  /** Who waits for the end of a start. */
  const waiting = new Set<() => void>();

  function set(change: Partial<LocalStatus>) {
    const since = change.state && change.state !== status.state ? new Date().toISOString() : status.since;
    status = { ...status, ...change, since };
    for (const listener of listeners) listener(status);
    if (status.state !== 'starting') for (const go of waiting) go();
  }
  const addLine = (line: string) => set({ lines: [...status.lines, line].slice(-LINES_KEPT) });

  /** `why`: what led to this start, where nobody asked for it. */
  async function begin(why: string | null = null) {
    const mine = ++round;
    clearTimeout(timer);
    set({ state: 'starting', url: null, pid: null, adopted: false, message: why, ports: null });
    const found = await options.find();
    if (mine !== round) return;
    if (found) adopt(found, mine);
    else spawn(mine);
  }

  function adopt(found: LocalFile, mine: number) {
    target = { url: found.url, token: found.token };
    set({ ...running(found), adopted: true });
    const watch = async () => {
      if (mine !== round) return;
      if (await isHealthy(found.url)) timer = setTimeout(() => void watch(), ADOPTED_CHECK_MS);
      else if (mine === round) restartLater('the master that was started outside this app has exited');
    };
    timer = setTimeout(() => void watch(), ADOPTED_CHECK_MS);
  }

  function spawn(mine: number) {
    if (!options.start) {
      set({
        state: 'failed',
        message: `this Electron (${process.versions['electron']}) is too old to run a master: set YARDMASTER_NODE to Node 22.14 or newer, or connect to a remote master`,
      });
      return;
    }
    let served = 0;
    let last: LastLine | null = null;
    child = options.start(['master', '--json', ...options.args()], {
      line(text) {
        const ready = parseReadyLine(text);
        if (!ready || mine !== round) return;
        served = Date.now();
        failures = 0;
        lockBackoff.reset();
        target = { url: ready.url, token: ready.token };
        set({ ...running(ready), adopted: false });
      },
      logLine(text) {
        last = parseLastLine(text);
        addLine(last.words);
      },
      ended(how, code) {
        child = null;
        for (const resolve of whenEnded.splice(0)) resolve();
        if (mine !== round) return;
        if (served && Date.now() - served > STEADY_MS) backoff.reset();
        if (!served && last?.code === FOLDER_IN_USE) return waitFor(last.words);
        const message = `the master exited (${how})${last && (last.code !== null || Date.now() - last.at < DYING_MS) ? `: ${last.words}` : ''}`;
        // Wrong usage stays wrong; so does what keeps it from ever serving.
        if (!served && (code === 2 || ++failures >= ATTEMPTS)) fail(message, last?.code ?? null);
        else restartLater(message, last?.code ?? null);
      },
    });
    set({ pid: child.pid() });
  }

  function fail(message: string, code: string | null) {
    target = null;
    failures = 0;
    set({ state: 'failed', url: null, pid: null, message, code, ports: null });
  }

  function restartLater(message: string, code: string | null = null) {
    target = null;
    const wait = backoff.next();
    set({
      state: 'restarting',
      url: null,
      pid: null,
      adopted: false,
      restarts: status.restarts + 1,
      message: `${message}; restarting in ${wait / 1000} s`,
      code,
      ports: null,
    });
    beginIn(wait, message);
  }

  /** No fault of this master's, so none that is counted. */
  function waitFor(message: string) {
    set({ state: 'starting', url: null, pid: null, message });
    beginIn(lockBackoff.next(), message);
  }

  function beginIn(milliseconds: number, why: string) {
    const mine = ++round;
    timer = setTimeout(() => {
      if (mine === round) void begin(why);
    }, milliseconds);
  }

  return {
    status: () => status,
    target: () => target,
    async start() {
      if (status.state === 'off' || status.state === 'failed' || status.state === 'restarting') await begin();
    },
    async stop() {
      round++;
      clearTimeout(timer);
      target = null;
      backoff.reset();
      const current = child;
      if (current) {
        set({ state: 'stopping', message: null });
        const ended = new Promise<void>((resolve) => whenEnded.push(resolve));
        const kill = setTimeout(() => current.kill(), options.stopSeconds * 1000);
        current.stop();
        await ended;
        clearTimeout(kill);
      }
      set({ state: 'off', url: null, pid: null, adopted: false, message: null, code: null, ports: null });
    },
    onChange: (listener) => void listeners.push(listener),
    started: (milliseconds) =>
      new Promise((resolve) => {
        if (status.state !== 'starting') return resolve();
        const go = () => {
          clearTimeout(late);
          waiting.delete(go);
          resolve();
        };
        const late = setTimeout(go, milliseconds);
        waiting.add(go);
      }),
  };
}

const running = ({ url, pid, ports }: ReadyLine | LocalFile) =>
  ({ state: 'running', url, pid, ports, message: null, code: null }) as const;

function parseReadyLine(text: string): ReadyLine | null {
  try {
    const line: ReadyLine = JSON.parse(text);
    return line.event === 'ready' ? line : null;
  } catch {
    return null;
  }
}

interface LastLine {
  words: string;
  /** Null: no problem document. */
  code: string | null;
  at: number;
}

/** A problem document is told by its detail. */
function parseLastLine(text: string): LastLine {
  const at = Date.now();
  try {
    const { detail, code }: { detail?: unknown; code?: unknown } = JSON.parse(text);
    return { words: typeof detail === 'string' ? detail : text, code: typeof code === 'string' ? code : null, at };
  } catch {
    return { words: text, code: null, at };
  }
}
