import { LIMITS } from '../../contract/limits.ts';
import type { ReplayResult, ReplayRequest } from '../../contract/replay.ts';
import { VERSION } from '../../contract/version.ts';
import { workerLimits } from '../../contract/worker-protocol.ts';
import { createTools } from '../executors/tools.ts';
import { replayInput } from './replay.ts';

/** The process of a shadow replay: one replay at a time, each answered once. It ends with the master, which ends it where a trial takes too long. */

const limits = workerLimits(LIMITS);
const tools = createTools({
  limits,
  // Nothing is called from here; should an executor try, no address is allowed.
  httpPolicy: { allowPrivate: false, allow: [] },
  codeThreads: 2,
  expressionProcesses: 2,
  handlers: new Map(),
  version: VERSION,
});

process.title = 'yardmaster replay';
process.on('disconnect', () => process.exit(0));
process.on('message', async (ask: ReplayRequest) => {
  Object.assign(limits, ask.limits);
  const answer = await replayInput(ask, tools).catch((error: unknown) => ({
    broke: error instanceof Error ? error.message : String(error),
  }));
  process.send?.(answer satisfies ReplayResult | { broke: string });
});
process.send?.('ready');
