/** A disk that refused a write is trusted again when it has refused none for so long. */
const STEADY_MS = 5000;
const LOOK_MS = 1000;

export interface Refusal {
  /** True from the first refusal until the disk has room again and has kept it for a while. */
  readonly active: boolean;
  /** A write was refused. */
  noted(): void;
  /** The disk can never be trusted again. */
  forGood(): void;
  close(): void;
}

/**
 * Whether the disk refuses writes. A full disk takes some all the same (an empty transaction, one that fits into the log),
 * so one that went well says nothing: only time without a refusal, free space, and a probe after that do.
 */
export function watchRefusal({
  hasRoom,
  probe,
  steadyMs = STEADY_MS,
  lookMs = Math.min(LOOK_MS, steadyMs),
}: {
  hasRoom(): Promise<boolean>;
  /** A transaction that writes. */
  probe(): Promise<void>;
  steadyMs?: number | undefined;
  lookMs?: number;
}): Refusal {
  let last: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  async function look(): Promise<void> {
    timer = null;
    const before = last;
    if (before === null) return;
    const trusted =
      performance.now() - before >= steadyMs &&
      (await hasRoom().catch(() => false)) &&
      (await probe().then(
        () => true,
        () => false,
      ));
    if (trusted && last === before) last = null;
    else if (!closed) timer ??= setTimeout(look, lookMs).unref();
  }

  return {
    get active() {
      return last !== null;
    },
    noted() {
      last = performance.now();
      if (!closed) timer ??= setTimeout(look, lookMs).unref();
    },
    forGood() {
      last = Number.POSITIVE_INFINITY;
      closed = true;
    },
    close() {
      closed = true;
      if (timer) clearTimeout(timer);
    },
  };
}
