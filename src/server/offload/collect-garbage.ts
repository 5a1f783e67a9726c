import { getHeapStatistics, serialize, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 collects the garbage of a thread once it has grown by 8 MiB and more, and not at all while the thread has nothing to do. Of a dozen
 * threads that is more than all that lives in them, so each also collects between its calls: after these bytes, and this share of what lives.
 */
const GROWTH_BYTES = 2 * 1024 * 1024;
const GROWTH_SHARE = 0.3;
/**
 * A thread that works more than this share of the time may grow by more: V8 collects there by itself, and each collection from here
 * throws away the code that is being compiled, so that a busy thread would go on without the quick code.
 */
const BUSY_SHARE = 0.5;
const BUSY_GROWTH_BYTES = 32 * 1024 * 1024;
/** The growth is looked at this long after a call, not at each. */
const LOOK_MS = 200;
/** A thread that was asked nothing for so long gives back what its last calls, or its start, left. */
const REST_MS = 2000;
/** Some threads work by themselves and are hardly ever asked: these are looked at as often. */
const WATCH_MS = 5000;
const REST_BYTES = 1024 * 1024;
/** Above this it is tried again so long after: what lived after the last collection may have been of a query that has ended since. */
const LARGE_BYTES = 24 * 1024 * 1024;
const AGAIN_MS = 5000;
/** What lives may be hundreds of megabytes, which take long: of the time, collections take no more than one part in so many. */
const TIME_PARTS = 20;

export interface GarbageDeps {
  /** Bytes of the objects of the thread, and of what they hold beside them. */
  held(): number;
  /** False: it could not, this time. */
  collect(): boolean;
  /** Milliseconds that the thread worked, since its start. */
  worked(): number;
}

/** Told when a call begins and ends. */
export interface GarbageCollection {
  /**
   * A buffer of the shape that native code gives them (SQLite's blobs). The shape dies with the last such buffer, and with it
   * all compiled code that has met one, down to `subarray`: one lives always.
   */
  readonly nativeBuffer: Buffer;
  begin(): void;
  end(): void;
}

/** Collects the garbage of this thread while no call is under way. */
export function collectBetweenCalls(
  { held, collect, worked }: GarbageDeps = { held: heldBytes, collect: collectAll, worked: workedMs },
): GarbageCollection {
  let underWay = 0;
  /** After the last collection, or V8's own since. At first up to a third of it is what the start left. */
  let lived = held();
  let started = false;
  let notBefore = 0;
  let againAt = 0;
  let look: NodeJS.Timeout | null = null;
  let last = { at: performance.now(), worked: worked() };
  const rest = setTimeout(atRest, REST_MS).unref();
  setInterval(watch, WATCH_MS).unref();

  function grownBy(): number {
    const now = held();
    lived = Math.min(lived, now);
    return now - lived;
  }
  function run(): void {
    const from = performance.now();
    started = collect() || started;
    const to = performance.now();
    notBefore = to + (to - from) * TIME_PARTS;
    againAt = to + AGAIN_MS;
    lived = held();
  }
  /** Since it was asked last. */
  function isBusy(now: number): boolean {
    const before = last;
    last = { at: now, worked: worked() };
    return last.worked - before.worked > (now - before.at) * BUSY_SHARE;
  }
  function lookForGrowth(): void {
    look = null;
    const grown = grownBy();
    const now = performance.now();
    const allowed = isBusy(now) ? BUSY_GROWTH_BYTES : GROWTH_BYTES;
    if (underWay > 0 || now < notBefore) return;
    if (grown >= Math.max(allowed, lived * GROWTH_SHARE) || (lived >= LARGE_BYTES && now >= againAt)) run();
  }
  function atRest(): void {
    const grown = grownBy();
    if (underWay === 0 && (!started || grown >= REST_BYTES || lived >= LARGE_BYTES)) run();
  }
  /** What the start left is not left until the thread rests, which some never do, and some calls last as long as the thread. */
  function watch(): void {
    if (!started) run();
    else if (look === null) lookForGrowth();
  }

  return {
    nativeBuffer: serialize(null),
    begin: () => void underWay++,
    end() {
      underWay--;
      look ??= setTimeout(lookForGrowth, LOOK_MS).unref();
      rest.refresh();
    },
  };
}

function heldBytes(): number {
  const { used_heap_size: objects, external_memory: beside } = getHeapStatistics();
  return objects + beside;
}

const workedMs = (): number => performance.eventLoopUtilization().active;

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
let known: Collect | null = null;

/** This kind of collection also makes the heap as small as it can be. */
function collectAll(): boolean {
  known ??= collector();
  known?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return known !== null;
}

/** Flags hold for the whole process. Null: another thread has just taken this one back; the next collection tries again. */
function collector(): Collect | null {
  setFlagsFromString('--expose-gc');
  const found: Collect | null = runInNewContext('typeof gc === "function" ? gc : null');
  setFlagsFromString('--no-expose-gc');
  return found;
}
