import { createServer } from 'node:net';
import { errorMessage } from '../../../lib/errors.ts';
import { join } from 'node:path';
import { DEFAULT_PORTS } from '../../../contract/limits.ts';
import type { DeadLetter, PipelineStats } from '../../../contract/logs.ts';
import { listenOnPort } from '../../../lib/listen-on-port.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { startThread, type ThreadCalls } from '../../../lib/thread-calls.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { adoptLeft } from './folders.ts';
import type { Pipelines } from './port.ts';
import type { PipelineOptions } from './pipeline.ts';
import type { PipelineEvent } from './pipeline-thread.ts';

export interface PipelinesOptions extends PipelineOptions {
  /** How many run side by side, on one port; each has its own thread, queue and dead letters. */
  replicas: number;
  /** A number: exactly that port, or a `Fault` PORT_TAKEN. Null: 9000, or the next free one. 0: any. */
  port: number | null;
  say(line: string): void;
}

const RESTART_MS = 1000;
/** Time that the store has at a stop to take what is queued. The rest waits on disk. */
const DRAIN_MS = 3000;
/** A thread that has not closed by then is ended; what it accepted is on disk. */
const CLOSE_MS = 8000;

const NONE: PipelineStats = {
  accepted: 0,
  delivered: 0,
  retried: 0,
  dead: 0,
  deadDropped: 0,
  dropped: 0,
  truncated: 0,
  unparsed: 0,
  skipped: 0,
  pauses: 0,
  paused: false,
  queueBytes: 0,
  queueLines: 0,
  lagMs: 0,
  connections: 0,
  refusing: null,
};

/** Starts the log pipelines and keeps them running. */
export async function startPipelines(options: PipelinesOptions): Promise<Pipelines> {
  const { replicas, say, folder, port: wished, ...rest } = options;
  const file = threadFile(import.meta.url, './pipeline-thread.ts', 'pipeline-thread.js');
  const shared = replicas > 1;
  const threads: { calls: ThreadCalls; stats: PipelineStats; before: PipelineStats }[] = [];
  let secrets: readonly NamedSecret[] = [];
  let port = 0;
  let closed = false;

  function start(index: number): ThreadCalls {
    const data: PipelineOptions = { ...rest, folder: join(folder, String(index)) };
    return startThread(
      file,
      data,
      (event) => hear(index, event as PipelineEvent),
      (why) => restart(index, why),
    );
  }
  function hear(index: number, event: PipelineEvent): void {
    const thread = threads[index];
    if (event.kind === 'say') say(event.line);
    else if (thread) thread.stats = event.stats;
  }
  /** A thread that ended by itself is replaced; its queue is on disk, its senders come back to the same port. */
  function restart(index: number, why: string): void {
    if (closed) return;
    say(`a thread of the log pipeline ended (${why}); a new one starts`);
    setTimeout(() => {
      const thread = threads[index];
      if (closed || !thread) return;
      thread.before = summed(thread.before, {
        ...thread.stats,
        queueBytes: 0,
        queueLines: 0,
        connections: 0,
        lagMs: 0,
        paused: false,
        refusing: null,
      });
      thread.stats = NONE;
      thread.calls = start(index);
      thread.calls.call('redact', secrets).catch(() => {});
      listen(index, thread.calls);
    }, RESTART_MS).unref();
  }
  /** Another one may have taken the port meanwhile: it is tried until it is free. */
  function listen(index: number, calls: ThreadCalls, told = false): void {
    calls.call('listen', port, shared).catch((error: unknown) => {
      if (closed || threads[index]?.calls !== calls) return;
      if (!told) say(`the log pipeline cannot listen on port ${port} (${errorMessage(error)}); it is tried again`);
      setTimeout(() => !closed && threads[index]?.calls === calls && listen(index, calls, true), RESTART_MS).unref();
    });
  }
  async function end(): Promise<void> {
    closed = true;
    await Promise.all(threads.map(({ calls }) => calls.end()));
  }

  adoptLeft(folder, replicas, say);
  for (let i = 0; i < replicas; i++) threads.push({ calls: start(i), stats: NONE, before: NONE });
  try {
    const [first, ...others] = threads;
    port = await listenOnPort(
      { port: wished, default: DEFAULT_PORTS.logstash, what: 'the log pipeline', option: '--logstash-port' },
      async (one) => {
        // A port that is shared would be shared with a stranger too.
        if (shared && one !== 0) await isFree(options.host, one);
        return (first as (typeof threads)[number]).calls.call<number>('listen', one, shared);
      },
      say,
    );
    await Promise.all(others.map(({ calls }) => calls.call('listen', port, true)));
    // What an earlier process left in the queue is told from the beginning.
    await Promise.all(threads.map(async (thread) => (thread.stats = await thread.calls.call<PipelineStats>('stats'))));
  } catch (error) {
    await end();
    throw error;
  }

  /** Letters are told apart by their pipeline: `<index>:<id>`. */
  const forEachThread = async (ids: readonly string[] | null, method: 'replay' | 'discard'): Promise<number> => {
    const counts = await Promise.all(
      threads.map(async ({ calls }, index) => {
        const own = ids?.filter((id) => id.startsWith(`${index}:`)).map((id) => id.slice(id.indexOf(':') + 1)) ?? null;
        return own?.length === 0 ? 0 : calls.call<number>(method, own);
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  return {
    port,
    deadLetters: {
      async list({ page, size }) {
        const found = await Promise.all(
          threads.map(({ calls }) =>
            calls.call<{ items: DeadLetter[]; total: number }>('listDead', 0, (page + 1) * size),
          ),
        );
        const items = found.flatMap(({ items: own }, index) =>
          own.map((letter) => ({ ...letter, id: `${index}:${letter.id}` })),
        );
        items.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
        const totalItems = found.reduce((sum, { total }) => sum + total, 0);
        return {
          items: items.slice(page * size, (page + 1) * size),
          page,
          size,
          totalItems,
          totalPages: Math.ceil(totalItems / size),
        };
      },
      replay: async (ids) => ({ replayed: await forEachThread(ids, 'replay') }),
      discard: async (ids) => ({ discarded: await forEachThread(ids, 'discard') }),
    },
    redact(given) {
      secrets = given;
      for (const { calls } of threads) calls.call('redact', secrets).catch(() => {});
    },
    stats: () => threads.reduce((sum, { stats, before }) => summed(sum, summed(before, stats)), NONE),
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all(
        threads.map(async ({ calls }) => {
          const late = setTimeout(() => void calls.end(), CLOSE_MS);
          await calls
            .call('close', DRAIN_MS)
            .catch((error: unknown) => say(`the log pipeline did not close cleanly: ${errorMessage(error)}`));
          clearTimeout(late);
        }),
      );
      await end();
    },
  };
}

async function isFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen({ port, host }, resolve));
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

function summed(a: PipelineStats, b: PipelineStats): PipelineStats {
  const sum = { ...a };
  for (const key of Object.keys(NONE) as (keyof PipelineStats)[])
    if (typeof sum[key] === 'number') (sum[key] as number) = (a[key] as number) + (b[key] as number);
  return {
    ...sum,
    paused: a.paused || b.paused,
    refusing: a.refusing ?? b.refusing,
    lagMs: Math.max(a.lagMs, b.lagMs),
  };
}
