import { BoundedMap } from '../../../../lib/bounded-map.ts';
import { errorCode } from '../../../../lib/errors.ts';
import type { MetDamage, QueryJob } from '../port.ts';
import { createReader, type Reader, type ReaderOptions } from './reader.ts';

export type QueryLimits = ReturnType<ReaderOptions['limits']>;

/** Threads for queries: one that answers the small ones, and others for those that turn out not to be. */
export interface QueryReaders {
  run(job: QueryJob, slow: Reader, signal: AbortSignal, met?: MetDamage): AsyncIterable<Uint8Array>;
  /** A thread for the queries of somebody that are not small. */
  slow(): Reader;
  readonly waiting: number;
  end(): Promise<void>;
}

/** What a small query takes at most: it waits for no other for longer. */
const QUICK_SECONDS = 0.5;
const QUICK_BYTES = 96 * 1024 * 1024;
/** Bytes of its answer, which is held until it is whole. */
const QUICK_PAGES = 4 * 1024 * 1024;

/** A query that was not small is not tried as one again for so long: dashboards ask the same again and again. */
const LARGE_MS = 60_000;
/** How many of them are remembered, and of how many characters at most. */
const LARGE = 200;
const LARGE_TEXT = 10_000;

/**
 * Each query is tried in the quick thread, and asked anew of the slow one where it takes more than small ones do: so
 * nobody waits behind a query of half a minute but those that take as long themselves.
 */
export function createQueryReaders(
  options: Omit<ReaderOptions, 'limits'> & { limits(): Omit<QueryLimits, 'quick'> },
): QueryReaders {
  const quick = createReader({
    ...options,
    limits: () => {
      const { seconds, values, bytes, queries } = options.limits();
      return {
        seconds: Math.min(seconds, QUICK_SECONDS),
        values,
        bytes: Math.min(bytes, QUICK_BYTES),
        queries,
        quick: true,
      };
    },
  });
  const readers = [quick];
  /** When queries were last found not to be small, by what they ask. */
  const large = new BoundedMap<string, number>(LARGE);

  /** The whole answer; null: it is not small. */
  async function small(job: QueryJob, signal: AbortSignal, met?: MetDamage): Promise<Uint8Array[] | null> {
    const pages: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const page of quick.run(job, signal, met)) {
        bytes += page.length;
        if (bytes > QUICK_PAGES) return null;
        pages.push(page);
      }
      return pages;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'METRICS_TIMEOUT' || code === 'METRICS_TOO_BROAD') return null;
      throw error;
    }
  }

  return {
    async *run(job, slow, signal, met) {
      const asked = textOf(job);
      const isLarge = performance.now() - (large.get(asked) ?? Number.NEGATIVE_INFINITY) < LARGE_MS;
      const pages = isLarge ? null : await small(job, signal, met);
      if (pages) return yield* pages;
      try {
        yield* slow.run(job, signal, met);
      } finally {
        if (!isLarge && asked.length <= LARGE_TEXT) large.set(asked, performance.now());
      }
    },
    slow() {
      const reader = createReader({ ...options, limits: () => ({ ...options.limits(), quick: false }) });
      readers.push(reader);
      return reader;
    },
    get waiting() {
      return readers.reduce((sum, { waiting }) => sum + waiting, 0);
    },
    end: async () => void (await Promise.all(readers.map((reader) => reader.end()))),
  };
}

/** What a query asks, the same at each refresh of a dashboard: of its times only their distance, in seconds. */
function textOf({ kind, args }: QueryJob): string {
  const { from, to, end: _end, now: _now, ...rest } = (args ?? {}) as Readonly<Record<string, unknown>>;
  const times = typeof from === 'number' && typeof to === 'number' ? Math.round((to - from) / 1000) : [from, to];
  return `${kind} ${JSON.stringify([times, rest], (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`;
}
