import { pageOf } from '../../../lib/page.ts';
import { createServer } from 'node:net';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_PORTS } from '../../../contract/limits.ts';
import type { PipelineStats } from '../../../contract/logs.ts';
import { listenOnPort } from '../../../lib/listen-on-port.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread, type CallThread, type Thread } from '../../offload/thread.ts';
import { takeOverOrphans } from './folders.ts';
import type { FoundDamage, ReportDamage } from '../../observability/port.ts';
import type { Answer, PipelineDamage, Pipelines, Question, SenderTokens } from './port.ts';
import type { PipelineOptions } from './pipeline.ts';
import type { PipelineEvent, PipelineMethods, PipelineThreadData } from './pipeline-thread.ts';

export interface PipelinesOptions extends PipelineOptions {
  /** How many run side by side, on one port; each has its own thread, queue and dead letters. */
  replicas: number;
  /** A number: exactly that port, or a `Fault` PORT_TAKEN. Null: 9000, or the next free one. 0: any. */
  port: number | null;
  /** Null: senders are not told apart by tokens. */
  tokens: SenderTokens | null;
  log(line: string): void;
  report?: ReportDamage;
}

interface PipelineThread {
  readonly thread: Thread<PipelineMethods>;
  stats: PipelineStats;
  /** Of threads that ended before. */
  before: PipelineStats;
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
  forged: 0,
  foreign: 0,
  unauthorized: 0,
  crowded: 0,
  skipped: 0,
  pauses: 0,
  paused: false,
  queueBytes: 0,
  queueLines: 0,
  lagMs: 0,
  connections: 0,
  failing: null,
  refusing: null,
};

const COUNTS = [
  'accepted',
  'delivered',
  'retried',
  'dead',
  'deadDropped',
  'dropped',
  'truncated',
  'unparsed',
  'forged',
  'foreign',
  'unauthorized',
  'crowded',
  'skipped',
  'pauses',
  'queueBytes',
  'queueLines',
  'connections',
] as const satisfies readonly (keyof PipelineStats)[];

/** Starts the log pipelines and keeps them running. Resolves once they listen. */
export async function startPipelines(options: PipelinesOptions): Promise<Pipelines> {
  const { opened, ...pipelines } = createPipelines(options);
  const port = await opened;
  return { ...pipelines, port };
}

/** The same, while they start: `opened` resolves with the port once they listen, and rejects where they cannot. */
export function createPipelines(options: PipelinesOptions): Omit<Pipelines, 'port'> & { opened: Promise<number> } {
  const { replicas, log, report = () => {}, folder, port: wished, tokens, ...rest } = options;
  const shared = replicas > 1;
  const pipelines: PipelineThread[] = [];
  let secrets: readonly NamedSecret[] = [];
  /** Tokens that senders came with. */
  const admitted = new Set<string>();
  let port = 0;
  let closed = false;

  function start(index: number): PipelineThread {
    let starts = 0;
    const pipeline: Omit<PipelineThread, 'thread'> = { stats: NONE, before: NONE };
    const thread = createThread<PipelineMethods, PipelineEvent>({
      file: threadFile(import.meta.url, './pipeline-thread.ts', 'pipeline-thread.js'),
      name: 'a log pipeline thread',
      data: () =>
        ({ ...rest, folder: join(folder, String(index)), knowsTokens: tokens !== null }) satisfies PipelineThreadData,
      restartMs: RESTART_MS,
      onEvent(event) {
        if (event.kind === 'log') log(event.line);
        else if (event.kind === 'damage') report(damageOf(index, event.damage));
        else if (event.kind === 'identify') {
          const identity = tokens?.identify(event.secret, event.from) ?? null;
          if (identity !== null) admitted.add(identity.tokenId);
          thread.notify('answered', event.question, identity);
        } else if (event.kind === 'vouch')
          void answer(event.tokenId, event.about).then((found) => thread.notify('answered', event.question, found));
        else pipeline.stats = event.stats;
      },
      /** One that ended by itself is replaced; its queue is on disk, its senders come back to the same port. */
      onStart(call) {
        if (starts++ === 0) return;
        pipeline.before = summed(pipeline.before, {
          ...pipeline.stats,
          queueBytes: 0,
          queueLines: 0,
          connections: 0,
          lagMs: 0,
          paused: false,
          failing: null,
          refusing: null,
        });
        pipeline.stats = NONE;
        call('redact', secrets).catch(() => {});
        void listenAgain(call);
      },
      onExit: (why) => why !== null && log(`a log pipeline thread ended (${why}); restarting it`),
    });
    return Object.assign(pipeline, { thread });
  }
  const answer = async (tokenId: string, about: Question): Promise<Answer | null> =>
    tokens === null
      ? null
      : tokens.vouch(tokenId, about).catch((error: unknown) => {
          log(`it could not be found out what a worker runs (${errorMessage(error)}): its log lines lose their job`);
          return null;
        });
  /** Another one may have taken the port meanwhile: it is tried until it is free. */
  async function listenAgain(call: CallThread<PipelineMethods>): Promise<void> {
    for (let tries = 0; !closed; tries++) {
      try {
        return void (await call('listen', port, shared));
      } catch (error) {
        // Its successor listens by itself.
        if (errorCode(error) === 'STORE_UNAVAILABLE') return;
        if (tries === 0 && !closed)
          log(`the log pipeline cannot listen on port ${port} (${errorMessage(error)}); retrying`);
      }
      await delay(RESTART_MS, null, { ref: false });
    }
  }
  const forget = tokens?.onEnded(() => {
    const gone = [...admitted].filter((id) => !tokens.isActive(id));
    for (const id of gone) admitted.delete(id);
    if (gone.length > 0) for (const { thread } of pipelines) thread.notify('endTokens', gone);
  });
  async function end(): Promise<void> {
    closed = true;
    forget?.();
    await Promise.all(pipelines.map(({ thread }) => thread.close()));
  }

  takeOverOrphans(folder, replicas, log);
  for (let i = 0; i < replicas; i++) pipelines.push(start(i));

  async function open(): Promise<number> {
    port = await listenOnPort(
      { port: wished, default: DEFAULT_PORTS.logstash, what: 'the log pipeline', option: '--logstash-port' },
      async (one) => {
        // A port that is shared would be shared with a stranger too.
        if (shared && one !== 0) await isFree(options.host, one);
        const [first] = pipelines;
        return first ? first.thread.call('listen', one, shared) : one;
      },
      log,
    );
    await Promise.all(pipelines.slice(1).map(({ thread }) => thread.call('listen', port, true)));
    // What an earlier process left in the queue is told from the beginning.
    await Promise.all(pipelines.map(async (one) => (one.stats = await one.thread.call('stats'))));
    return port;
  }
  const opened = open().catch(async (error: unknown) => {
    await end();
    throw error;
  });
  // Whoever waits for it is told.
  opened.catch(() => {});

  /** Letters are told apart by their pipeline: `<index>:<id>`. */
  const forEachThread = async (ids: readonly string[] | null, method: 'replay' | 'discard'): Promise<number> => {
    const counts = await Promise.all(
      pipelines.map(async ({ thread }, index) => {
        const own = ids?.filter((id) => id.startsWith(`${index}:`)).map((id) => id.slice(id.indexOf(':') + 1)) ?? null;
        return own?.length === 0 ? 0 : thread.call(method, own);
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  return {
    opened,
    deadLetters: {
      async list({ page, size }) {
        const found = await Promise.all(pipelines.map(({ thread }) => thread.call('listDead', 0, (page + 1) * size)));
        const items = found.flatMap(({ items: own }, index) =>
          own.map((letter) => ({ ...letter, id: `${index}:${letter.id}` })),
        );
        items.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
        const totalItems = found.reduce((sum, { total }) => sum + total, 0);
        return pageOf(items.slice(page * size, (page + 1) * size), { page, size }, totalItems);
      },
      replay: async (ids) => ({ replayed: await forEachThread(ids, 'replay') }),
      discard: async (ids) => ({ discarded: await forEachThread(ids, 'discard') }),
    },
    redact(given) {
      secrets = given;
      for (const { thread } of pipelines) thread.notify('redact', secrets);
    },
    stats: () => pipelines.reduce((sum, { stats, before }) => summed(sum, summed(before, stats)), NONE),
    async verify({ bytesPerSecond, signal }) {
      const stop = () => pipelines.forEach(({ thread }) => thread.notify('stopVerify'));
      signal.addEventListener('abort', stop, { once: true });
      try {
        const found = await Promise.all(
          pipelines.map(({ thread }) => thread.call('verify', Math.ceil(bytesPerSecond / replicas))),
        );
        return {
          bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
          damages: found.flatMap(({ damages }, index) => damages.map((damage) => damageOf(index, damage))),
        };
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all(
        pipelines.map(({ thread }) =>
          Promise.race([
            thread
              .call('close', DRAIN_MS)
              .catch((error: unknown) => log(`the log pipeline did not close cleanly: ${errorMessage(error)}`)),
            delay(CLOSE_MS, null, { ref: false }),
          ]),
        ),
      );
      await end();
    },
  };
}

/** What it lost is gone once the rest is delivered, and cannot be found again. */
const damageOf = (index: number, { file, ...damage }: PipelineDamage): FoundDamage => ({
  ...damage,
  part: 'pipeline',
  file: `pipeline/${index}/${file}`,
  place: '',
  keep: true,
});

async function isFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen({ port, host }, resolve));
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

function summed(a: PipelineStats, b: PipelineStats): PipelineStats {
  const sum = { ...a };
  for (const name of COUNTS) sum[name] += b[name];
  return {
    ...sum,
    paused: a.paused || b.paused,
    failing: a.failing ?? b.failing,
    refusing: a.refusing ?? b.refusing,
    lagMs: Math.max(a.lagMs, b.lagMs),
  };
}
