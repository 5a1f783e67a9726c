import { randomUUID } from 'node:crypto';
import type { PipelineStats } from '../../../contract/logs.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { notifyParent, serveThread, threadData } from '../../offload/serve-thread.ts';
import type { SenderIdentity } from './port.ts';
import { openPipeline, type PipelineOptions } from './pipeline.ts';

/** The thread of one pipeline: sockets, parsing, disk and delivery keep off the master's own loop. */

export type PipelineEvent =
  | { kind: 'stats'; stats: PipelineStats }
  | { kind: 'log'; line: string }
  /** Asks for `identified` with the same number. */
  | { kind: 'identify'; question: string; secret: string };

export interface PipelineThreadData extends PipelineOptions {
  /** Whoever started the thread can tell whose token one is. */
  knowsTokens: boolean;
}

const STATS_MS = 500;

/** Questions whose token a sender brought. Their names are random: an answer to a thread before this one finds none of them. */
const questions = new Map<string, (identity: SenderIdentity | null) => void>();
const { knowsTokens, ...options } = threadData<PipelineThreadData>();
const pipeline = openPipeline(
  options,
  (line) => notifyParent<PipelineEvent>({ kind: 'log', line }),
  Math.random,
  knowsTokens
    ? (secret) =>
        new Promise((resolve) => {
          const question = randomUUID();
          questions.set(question, resolve);
          notifyParent<PipelineEvent>({ kind: 'identify', question, secret });
        })
    : null,
);
const methods = {
  listen: pipeline.listen,
  identified(question: string, identity: SenderIdentity | null) {
    questions.get(question)?.(identity);
    questions.delete(question);
  },
  endTokens: pipeline.endTokens,
  redact: (secrets: readonly NamedSecret[]) => pipeline.redact(secrets),
  listDead: pipeline.listDead,
  replay: pipeline.replay,
  discard: pipeline.discard,
  stats: pipeline.stats,
  async close(ms: number) {
    await pipeline.close(ms);
    clearInterval(timer);
    notifyStats();
  },
};
export type PipelineMethods = typeof methods;
serveThread(methods);
const timer = setInterval(notifyStats, STATS_MS);

function notifyStats(): void {
  notifyParent<PipelineEvent>({ kind: 'stats', stats: pipeline.stats() });
}
