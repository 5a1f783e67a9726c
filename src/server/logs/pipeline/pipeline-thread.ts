import { cryptoOnDemand } from '../../../lib/crypto-on-demand.ts';
import type { PipelineStats } from '../../../contract/logs.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { notifyParent, serveThread, threadData } from '../../offload/serve-thread.ts';
import type { Presenter } from '../../access/port.ts';
import type { Answer, PipelineDamage, Question, SenderIdentity } from './port.ts';
import { openPipeline, type PipelineOptions } from './pipeline.ts';

/** The thread of one pipeline: sockets, parsing, disk and delivery keep off the master's own loop. */

export type PipelineEvent =
  | { kind: 'stats'; stats: PipelineStats }
  | { kind: 'log'; line: string }
  | { kind: 'damage'; damage: PipelineDamage }
  /** These ask for `answered` with the same number. */
  | { kind: 'identify'; question: string; secret: string; from: Presenter }
  | { kind: 'vouch'; question: string; tokenId: string; about: Question };

export interface PipelineThreadData extends PipelineOptions {
  /** Whoever started the thread can tell whose token one is. */
  knowsTokens: boolean;
}

const STATS_MS = 500;

/** Questions to whoever started the thread. Their names are random: an answer to a thread before this one finds none of them. */
const questions = new Map<string, (answer: SenderIdentity | Answer | null) => void>();
function asked<T extends SenderIdentity | Answer | null>(event: (question: string) => PipelineEvent): Promise<T> {
  return new Promise((resolve) => {
    const question = cryptoOnDemand().randomUUID();
    // What is answered is of the kind that was asked for.
    questions.set(question, (answer) => resolve(answer as T));
    notifyParent<PipelineEvent>(event(question));
  });
}
const { knowsTokens, ...options } = threadData<PipelineThreadData>();
const pipeline = openPipeline(
  options,
  (line) => notifyParent<PipelineEvent>({ kind: 'log', line }),
  Math.random,
  knowsTokens
    ? {
        identify: (secret, from) =>
          asked<SenderIdentity | null>((question) => ({ kind: 'identify', question, secret, from })),
        vouch: (tokenId, about) => asked<Answer>((question) => ({ kind: 'vouch', question, tokenId, about })),
      }
    : null,
  (damage) => notifyParent<PipelineEvent>({ kind: 'damage', damage }),
);
let verifying = new AbortController();
const methods = {
  listen: pipeline.listen,
  answered(question: string, answer: SenderIdentity | Answer | null) {
    questions.get(question)?.(answer);
    questions.delete(question);
  },
  endTokens: pipeline.endTokens,
  redact: (secrets: readonly NamedSecret[]) => pipeline.redact(secrets),
  listDead: pipeline.listDead,
  replay: pipeline.replay,
  discard: pipeline.discard,
  stats: pipeline.stats,
  verify(bytesPerSecond: number) {
    verifying = new AbortController();
    return pipeline.verify(bytesPerSecond, verifying.signal);
  },
  stopVerify: () => verifying.abort(),
  async close(ms: number) {
    verifying.abort();
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
