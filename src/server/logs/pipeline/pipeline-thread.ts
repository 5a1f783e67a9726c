import type { PipelineStats } from '../../../contract/logs.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { notifyParent, serveThread, threadData } from '../../offload/serve-thread.ts';
import { openPipeline, type PipelineOptions } from './pipeline.ts';

/** The thread of one pipeline: sockets, parsing, disk and delivery keep off the master's own loop. */

export type PipelineEvent = { kind: 'stats'; stats: PipelineStats } | { kind: 'log'; line: string };

const STATS_MS = 500;

const pipeline = openPipeline(threadData<PipelineOptions>(), (line) =>
  notifyParent<PipelineEvent>({ kind: 'log', line }),
);
const methods = {
  listen: pipeline.listen,
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
