import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from '../../src/contract/jobs.ts';
import { pathTo } from '../../src/lib/api-client.ts';
import { createSeededRandom } from '../../src/lib/seeded-random.ts';
import type { Call } from '../../src/server/testing/outcome-checker.fixture.ts';
import { SHAPES, type ShapeName } from './workflow-shapes.ts';

const SENDERS = 4;
const READERS = 2;
/** How long a caller waits for an answer before it goes to another master. */
export const PATIENCE_MS = 4_000;
/** Between two calls of a sender, at most: so that work is always under way, on a machine that does more than this. */
const PAUSE_MS = 250;
const AGAIN_MS = 40;
const ACCEPTED_MS = 90_000;

interface Sent extends Call {
  readonly number: number;
  readonly workflowId: ShapeName;
  readonly inputs: readonly { n: number }[];
  readonly jobIds: string[];
}

interface Failure {
  /** When it was sent, by `performance.now()`. */
  readonly began: number;
  readonly words: string;
}

export interface Load {
  /** Waits until so many calls more were acknowledged that began from now on; milliseconds to the first of them. */
  accepts(more: number): Promise<number>;
  /** Requests so far that failed: no answer, or one that is no success; what each came to. */
  readonly failures: readonly Failure[];
  /** How long a request of a caller waits for its answer from now on, in milliseconds. */
  waitAtMost(ms: number): void;
  /** What no master may answer, at any time. */
  readonly broken: readonly string[];
  /** Ends when every call that was begun is acknowledged. */
  stop(): Promise<readonly Call[]>;
  /** Ends whatever was acknowledged. */
  abandon(): Promise<void>;
}

/**
 * Sends calls of all shapes without end, each to a master by chance; one without an answer is repeated under its key at any
 * other. Some go to two masters at once, some are repeated after their answer. Beside it, readers ask any master about jobs that
 * were acknowledged: each must be known there, and none that ended may run again.
 */
export function startLoad(options: { urls: readonly string[]; apiKey: string; token: string; seed: number }): Load {
  const { urls, apiKey, token, seed } = options;
  const sent: Sent[] = [];
  const broken: string[] = [];
  const acknowledged: { jobId: string; ended: boolean }[] = [];
  const successes: { began: number; ended: number }[] = [];
  const failures: Failure[] = [];
  let patienceMs = PATIENCE_MS;
  let on = true;
  let abandoned = false;

  /** The job that acknowledges the call; null: it is to be repeated. */
  async function post(url: string, call: Sent): Promise<string | null> {
    const began = performance.now();
    try {
      const answer = await fetch(
        url + pathTo('events.send', { params: { workflowId: call.workflowId, environment: 'dev' } }),
        {
          method: 'POST',
          headers: {
            'api-key': apiKey,
            'content-type': 'application/json',
            prefer: 'respond-async',
            'x-external-id': call.key,
            'idempotency-key': call.key,
          },
          body: JSON.stringify(call.inputs),
          signal: AbortSignal.timeout(patienceMs),
        },
      );
      const body = (await answer.json()) as { jobId?: string; code?: string };
      if (answer.status === 202 && body.jobId) {
        successes.push({ began, ended: performance.now() });
        call.jobIds.push(body.jobId);
        return body.jobId;
      }
      // It deals with the first try still: no failure, but no answer either.
      if (answer.status !== 409)
        failures.push({ began, words: `${call.key} at ${url}: ${answer.status} ${JSON.stringify(body)}` });
      // Without an owner, or overloaded: what else is there that a caller could not do anything about?
      if (answer.status !== 503 && answer.status !== 409)
        broken.push(`call ${call.key} was answered ${answer.status} ${JSON.stringify(body)}`);
    } catch (error) {
      const waitedMs = Math.round(performance.now() - began);
      failures.push({ began, words: `${call.key} at ${url}: ${wordsOf(error)} after ${waitedMs} ms` });
    }
    return null;
  }

  async function read(url: string, known: { jobId: string; ended: boolean }): Promise<void> {
    const endedBefore = known.ended;
    const began = performance.now();
    try {
      const answer = await fetch(url + pathTo('jobs.get', { params: { jobId: known.jobId } }), {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(patienceMs),
      });
      const body = (await answer.json()) as Job;
      if (answer.status === 404) broken.push(`${url} did not know job ${known.jobId}, which was acknowledged`);
      else if (answer.status !== 200)
        failures.push({ began, words: `read at ${url}: ${answer.status} ${JSON.stringify(body)}` });
      else if (body.finishedAt !== null) known.ended = true;
      else if (endedBefore) broken.push(`${url} showed job ${known.jobId} as ${body.status} after it had ended`);
    } catch (error) {
      failures.push({ began, words: `read at ${url}: ${wordsOf(error)}` });
    }
  }

  async function deliver(call: Sent, pick: () => string, chance: ReturnType<typeof createSeededRandom>): Promise<void> {
    // To two masters at once: one job, whoever is first.
    if (chance.percent(15)) await Promise.all([post(pick(), call), post(pick(), call)]);
    while (call.jobIds.length === 0 && !abandoned) {
      await post(pick(), call);
      if (call.jobIds.length === 0) await pause(AGAIN_MS);
    }
    if (call.jobIds.length > 0) acknowledged.push({ jobId: call.jobIds[0] ?? '', ended: false });
    // Whose answer was lost on its way repeats a call that was acknowledged.
    if (chance.percent(10)) await post(pick(), call);
  }

  const senders = Array.from({ length: SENDERS }, async (_, lane) => {
    const chance = createSeededRandom(seed + 1 + lane);
    const pick = () => chance.pick(urls);
    while (on) {
      const workflowId = chance.pick(Object.keys(SHAPES) as ShapeName[]);
      const number = sent.length;
      const inputs = Array.from({ length: 1 + chance.below(3) }, (_, i) => ({ n: number * 10 + i }));
      const call: Sent = {
        number,
        key: `call-${seed}-${number}`,
        workflowId,
        inputs,
        output: inputs.map(({ n }) => SHAPES[workflowId].output(n)),
        jobIds: [],
      };
      sent.push(call);
      await deliver(call, pick, chance);
      await pause(chance.below(PAUSE_MS));
    }
  });
  const readers = Array.from({ length: READERS }, async (_, lane) => {
    const chance = createSeededRandom(seed + 101 + lane);
    while (on) {
      // The newest are those that a master may have missed.
      const recent = acknowledged.slice(-20);
      if (recent.length > 0) await read(chance.pick(urls), chance.pick(recent));
      await pause(chance.below(PAUSE_MS / 2));
    }
  });

  let stopped: Promise<readonly Call[]> | null = null;
  function stop(): Promise<readonly Call[]> {
    on = false;
    return (stopped ??= Promise.all([...senders, ...readers]).then(() => sent));
  }
  return {
    broken,
    failures,
    waitAtMost: (ms) => void (patienceMs = ms),
    async accepts(more) {
      const since = performance.now();
      for (;;) {
        const fresh = successes.filter(({ began }) => began >= since);
        if (fresh.length >= more) return Math.min(...fresh.map(({ ended }) => ended)) - since;
        if (performance.now() - since > ACCEPTED_MS)
          throw new Error(`only ${fresh.length} of ${more} calls were accepted within ${ACCEPTED_MS / 1000} s`);
        await pause(10);
      }
    },
    stop,
    async abandon() {
      abandoned = true;
      await stop();
    },
  };
}

const wordsOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`
    : String(error);
