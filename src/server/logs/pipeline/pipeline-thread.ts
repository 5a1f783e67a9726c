import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { PipelineStats } from '../../../contract/logs.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { serveCalls } from '../../../lib/thread-calls.ts';
import { openPipeline, type PipelineOptions } from './pipeline.ts';

/** The thread of one pipeline: sockets, parsing, disk and delivery keep off the master's own loop. */

export type PipelineEvent = { kind: 'stats'; stats: PipelineStats } | { kind: 'say'; line: string };

const STATS_MS = 500;

const port = parentPort as MessagePort;
const pipeline = openPipeline(workerData as PipelineOptions, (line) => tell({ kind: 'say', line }));
const thread = serveCalls(port, {
  listen: pipeline.listen,
  redact: (secrets: readonly NamedSecret[]) => pipeline.redact(secrets),
  listDead: pipeline.listDead,
  replay: pipeline.replay,
  discard: pipeline.discard,
  stats: pipeline.stats,
  async close(ms: number) {
    await pipeline.close(ms);
    clearInterval(timer);
    tellStats();
  },
});
const timer = setInterval(tellStats, STATS_MS);

function tell(event: PipelineEvent): void {
  // Before `serveCalls` has answered, what is said travels in the form of its events.
  port.postMessage({ event: JSON.stringify(event) });
}
function tellStats(): void {
  thread.tell({ kind: 'stats', stats: pipeline.stats() } satisfies PipelineEvent);
}
