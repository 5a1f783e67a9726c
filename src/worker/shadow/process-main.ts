import { LIMITS } from '../../contract/limits.ts';
import type { TrialAnswer, TrialAsk } from '../../contract/trial.ts';
import { VERSION } from '../../contract/version.ts';
import { workerLimits } from '../../contract/worker-protocol.ts';
import { openCodeThread } from '../code/open-thread.ts';
import { createHttpClient } from '../executors/http-client.ts';
import { openExpressionChild } from '../expressions/open-process.ts';
import { createExpressions } from '../expressions/expressions.ts';
import { createMeter } from '../telemetry.ts';
import { createPool } from '../isolation/pool.ts';
import { createFill } from '../expressions/fill-template.ts';
import { runTrial } from './replay.ts';

/** The process of a shadow replay: one trial at a time, each answered once. It ends with the master, which ends it where a trial takes too long. */

const limits = workerLimits(LIMITS);
const threads = createPool({ most: 2, keep: 1, open: openCodeThread });
const processes = createPool({
  most: 2,
  keep: 0,
  open: (events) => openExpressionChild(events, limits.expressionMemoryBytes),
});
const expressions = createExpressions(processes, limits);
// Nothing is called from here; should an executor try, no address is allowed.
const http = createHttpClient({ allowPrivate: false, allow: [] });
const tools = {
  expressions,
  fill: createFill(expressions),
  threads,
  http,
  limits,
  version: VERSION,
  handlers: new Map(),
  meter: createMeter(),
};

process.title = 'yardmaster trial';
process.on('disconnect', () => process.exit(0));
process.on('message', async (ask: TrialAsk) => {
  Object.assign(limits, ask.limits);
  const answer = await runTrial(ask, tools).catch((error: unknown) => ({
    broke: error instanceof Error ? error.message : String(error),
  }));
  process.send?.(answer satisfies TrialAnswer | { broke: string });
});
process.send?.('ready');
