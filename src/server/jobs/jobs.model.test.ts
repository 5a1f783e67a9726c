import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../contract/worker-protocol.ts';
import { assertInvariants, leaseKey, newObservations, type TaskObservations } from '../testing/invariants.fixture.ts';
import { handClock, submission, workflow } from '../testing/engine.fixture.ts';
import {
  openModelHarness,
  createModelWorker,
  type HeldLease,
  type ModelHarness,
  type ModelWorker,
} from '../testing/model-harness.fixture.ts';

/**
 * The engine as a whole against random histories: jobs of every shape, reports that come late, twice or from the wrong
 * worker, workers that are lost and come back, kills, retries, clocks that jump, and a master that dies at any moment.
 * Invariants are checked after every step (`server/testing/invariants.fixture.ts`); in the end everything can be brought to an end.
 * YARDMASTER_MODEL_RUNS and _SEED make it longer, or repeat it.
 */
const RUNS = Number(process.env['YARDMASTER_MODEL_RUNS'] ?? 40);
const SEED = Number(process.env['YARDMASTER_MODEL_SEED'] ?? 20261121);

const soon = { retryBackoffSeconds: 1, retries: 1 };
const callee = workflow({ k: soon, l: soon }, ['input>k', 'k>l', 'l>output'], { workflowId: 'callee' });
const item = { type: 'transform', config: { expression: '$' } };
const SHAPES = {
  one: workflow({ a: soon }, ['input>a', 'a>output']),
  chain: workflow({ a: soon, b: { retries: 0 }, c: soon }, ['input>a', 'a>b', 'b>c', 'c>output']),
  diamond: workflow({ a: soon, b: soon, j: soon }, ['input>a', 'input>b', 'a>j', 'b>j', 'j>output']),
  branch: workflow({ c: { type: 'condition', ...soon }, x: soon, y: soon, j: { ...soon, join: 'value' } }, [
    'input>c',
    'c>x:true',
    'c>y:false',
    'x>j',
    'y>j',
    'j>output',
  ]),
  each: workflow({ e: { type: 'forEach', config: { items: '$', node: item, concurrency: 2 }, ...soon }, z: soon }, [
    'input>e',
    'e>z',
    'z>output',
  ]),
  collect: workflow(
    { e: { type: 'forEach', config: { items: '$', node: item, concurrency: 3, onError: 'collect' }, retries: 0 } },
    ['input>e', 'e>output'],
  ),
  child: workflow(
    { w: { type: 'workflow', config: { workflowId: callee.workflowId, environment: 'dev' }, ...soon }, z: soon },
    ['input>w', 'w>z', 'z>output'],
  ),
  straight: workflow({}, ['input>output']),
};
type Shape = keyof typeof SHAPES;

type Command =
  | {
      do: 'submit';
      shape: Shape;
      inputs: number;
      timeout: number | null;
      awaited: boolean;
      key: number | null;
      priority: number;
    }
  | { do: 'join' | 'lose'; worker: number; keeps: number }
  | {
      do: 'report';
      lease: number;
      current: boolean;
      how: 'start' | 'done' | 'fail' | 'final';
      by: number | null;
      twice: boolean;
      items: number;
    }
  | { do: 'kill' | 'retry'; job: number }
  | { do: 'retryTask'; task: number }
  | { do: 'rerun'; job: number }
  | { do: 'limit'; most: number | null }
  | { do: 'clock'; ms: number }
  | { do: 'check' }
  | { do: 'crash'; looked: boolean }
  /** A task fails and is given out again; then comes what its first run had to say. */
  | { do: 'late'; lease: number; how: 'done' | 'fail' | 'final' };

const report = fc.record<Command & { do: 'report' }>({
  do: fc.constant('report'),
  lease: fc.nat(1000),
  current: fc.boolean(),
  how: fc.constantFrom('start', 'done', 'done', 'done', 'fail', 'final'),
  by: fc.option(fc.nat(2), { freq: 8, nil: null }),
  twice: fc.boolean(),
  items: fc.nat(4),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record<Command & { do: 'submit' }>({
      do: fc.constant('submit'),
      shape: fc.constantFrom(...(Object.keys(SHAPES) as Shape[])),
      inputs: fc.oneof({ weight: 8, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.constant(230) }),
      timeout: fc.option(fc.constantFrom(5, 100), { freq: 4, nil: null }),
      awaited: fc.boolean(),
      key: fc.option(fc.nat(1), { freq: 4, nil: null }),
      priority: fc.constantFrom(0, 0, 0, 5, -5),
    }),
  },
  { weight: 12, arbitrary: report },
  { weight: 6, arbitrary: report.map((late) => ({ ...late, current: true })) },
  {
    weight: 5,
    arbitrary: fc.record<Command & { do: 'join' }>({ do: fc.constant('join'), worker: fc.nat(2), keeps: fc.nat(2) }),
  },
  {
    weight: 1,
    arbitrary: fc.record<Command & { do: 'lose' }>({
      do: fc.constant('lose'),
      worker: fc.nat(2),
      keeps: fc.constant(0),
    }),
  },
  { weight: 1, arbitrary: fc.record<Command & { do: 'kill' }>({ do: fc.constant('kill'), job: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record<Command & { do: 'retry' }>({ do: fc.constant('retry'), job: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record<Command & { do: 'retryTask' }>({ do: fc.constant('retryTask'), task: fc.nat(100) }),
  },
  { weight: 1, arbitrary: fc.record<Command & { do: 'rerun' }>({ do: fc.constant('rerun'), job: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record<Command & { do: 'limit' }>({ do: fc.constant('limit'), most: fc.constantFrom(1, 3, null) }),
  },
  {
    weight: 2,
    arbitrary: fc.record<Command & { do: 'clock' }>({
      do: fc.constant('clock'),
      ms: fc.constantFrom(1, 500, 2000, 70_000, 700_000, -1500, -3_600_000),
    }),
  },
  { weight: 3, arbitrary: fc.constant<Command>({ do: 'check' }) },
  {
    weight: 3,
    arbitrary: fc.record<Command & { do: 'late' }>({
      do: fc.constant('late'),
      lease: fc.nat(20),
      how: fc.constantFrom('done', 'fail', 'final'),
    }),
  },
  { weight: 1, arbitrary: fc.record<Command & { do: 'crash' }>({ do: fc.constant('crash'), looked: fc.boolean() }) },
);

/** One history: the present master, the workers that outlive it, and all that was seen. */
class History {
  readonly clock = handClock(1_800_000_000_000);
  readonly workers = new Map<string, ModelWorker>();
  readonly memoir: TaskObservations = newObservations();
  /** All leases of all masters: reports come under old ones too. */
  readonly leases: HeldLease[] = [];
  readonly jobs: { id: string; shape: Shape; mayVanish: boolean }[] = [];
  stage: ModelHarness;
  outputs = 0;

  constructor(stage: ModelHarness, workers: Map<string, ModelWorker>) {
    this.stage = stage;
    this.workers = workers;
  }

  static async begin(): Promise<History> {
    const workers = new Map(
      [2, 3, 400].map((capacity, i) => [`worker-${i}`, createModelWorker(`worker-${i}`, capacity)]),
    );
    const history = new History(null as never, workers);
    history.stage = await openModelHarness({ clock: history.clock, workers });
    await history.join(history.worker(2), 0);
    return history;
  }

  async run(step: Command): Promise<void> {
    switch (step.do) {
      case 'submit':
        return this.submit(step);
      case 'join':
        return this.join(this.worker(step.worker), step.keeps);
      case 'lose':
        return this.stage.lose(this.worker(step.worker));
      case 'report':
        return this.report(step);
      case 'kill':
        return this.kill(step.job);
      case 'retry':
        return this.retry(step.job);
      case 'retryTask':
        return this.retryTask(step.task);
      case 'rerun':
        return this.rerun(step.job);
      case 'limit':
        await this.stage.jobs.limit({ scope: 'workflow', id: 'flow', name: 'flow', most: step.most });
        return this.stage.settled();
      case 'clock':
        return void this.clock.advance(step.ms);
      case 'check':
        return this.stage.check();
      case 'crash':
        return this.crash();
      case 'late':
        return this.late(step);
    }
  }

  worker(index: number): ModelWorker {
    return [...this.workers.values()][index % this.workers.size] as ModelWorker;
  }

  /** Joins with all that it holds, with every second, or with nothing. */
  async join(worker: ModelWorker, keeps: number): Promise<void> {
    let n = 0;
    await this.stage.join(worker, () => (keeps === 0 ? true : keeps === 1 ? n++ % 2 === 0 : false));
  }

  async submit({ shape, inputs, timeout, awaited, key, priority }: Command & { do: 'submit' }): Promise<void> {
    const idempotency = key === null ? null : { keyId: 'k', key: `key-${key}`, bodyHash: 'same' };
    const submitted = await this.stage.jobs.submit(
      submission(
        SHAPES[shape],
        Array.from({ length: inputs }, (_, i) => ({ i })),
        { replicaRunTimeoutSeconds: timeout, awaited, idempotency, priority },
      ),
    );
    await this.stage.settled();
    if (submitted.kind === 'created') this.jobs.push({ id: submitted.jobId, shape, mayVanish: awaited });
    else expect(this.jobs.map(({ id }) => id)).toContain(submitted.jobId);
  }

  /** What a worker would say of a lease: one it holds, or any that was ever given. */
  async report({ lease, current, how, by, twice, items }: Command & { do: 'report' }): Promise<void> {
    this.learn();
    const from = current ? [...this.workers.values()].flatMap(({ holds }) => [...holds.values()]) : this.leases;
    const held = from[lease % Math.max(1, from.length)];
    if (held) await this.reportEnd(held, how, by === null ? held.workerId : this.worker(by).id, twice, items);
  }

  async late({ lease, how }: Command & { do: 'late' }): Promise<void> {
    const held = [...this.workers.values()].flatMap(({ holds }) => [...holds.values()]);
    const first = held[lease % Math.max(1, held.length)];
    if (!first) return;
    await this.reportEnd(first, 'fail', first.workerId, false, 0);
    this.clock.advance(3000);
    await this.stage.check();
    await this.reportEnd(first, how, first.workerId, false, 1);
  }

  async reportEnd(
    held: HeldLease,
    how: (Command & { do: 'report' })['how'],
    workerId: string,
    twice: boolean,
    items: number,
  ): Promise<void> {
    const { id, attempt } = held;
    const at = this.clock.now();
    const reports: Report[] = [];
    if (how === 'start') reports.push({ e: 'start', id, attempt, at });
    else if (how === 'done') reports.push(this.end(held, workerId, items));
    else
      reports.push({
        e: 'fail',
        id,
        attempt,
        startedAt: at,
        at,
        error: {
          code: how === 'fail' ? 'TASK_ERROR' : 'NON_RETRYABLE',
          message: 'it broke',
          retryable: how === 'fail',
        },
      });
    const worker = this.workers.get(workerId);
    if (how !== 'start' && worker?.holds.get(id)?.attempt === attempt) {
      worker.holds.delete(id);
      const [next, ...rest] = held.chain;
      // The worker goes on with the chain by itself, whatever the master thinks of it.
      if (next && how === 'done')
        worker.holds.set(next.id, { ...held, id: next.id, attempt: 1, node: next.node, chain: rest });
    }
    await this.stage.report(workerId, ...reports);
    if (twice) await this.stage.report(workerId, ...(how === 'done' ? [this.end(held, workerId, items + 1)] : reports));
  }

  /** The end of a task, with an output that nobody else has. */
  end(held: HeldLease, workerId: string, items: number): Report {
    const { id, attempt, node } = held;
    const at = this.clock.now();
    if (node === 'e' && held.item === null)
      return {
        e: 'items',
        id,
        attempt,
        startedAt: at,
        at,
        first: 0,
        items: Array.from({ length: items }, (_, i) => i),
        more: false,
      };
    const output = { output: ++this.outputs };
    const key = leaseKey(id, attempt, workerId);
    const known = this.memoir.reported.get(key) ?? new Set();
    this.memoir.reported.set(key, known.add(JSON.stringify(output)));
    return {
      e: 'done',
      id,
      attempt,
      startedAt: at,
      at,
      output,
      ...(node === 'c' ? { port: this.outputs % 2 === 0 ? 'true' : 'false' } : {}),
    };
  }

  async kill(index: number): Promise<void> {
    const job = this.jobs[index % Math.max(1, this.jobs.length)];
    if (!job || (await this.gone(job))) return;
    await this.stage.jobs.kill(job.id, 'the model');
    await this.stage.settled();
    expect((await this.stage.jobs.get(job.id)).finishedAt, 'a killed job has nothing open').not.toBeNull();
  }

  async retry(index: number): Promise<void> {
    const job = this.jobs[index % Math.max(1, this.jobs.length)];
    if (!job || (await this.gone(job))) return;
    this.memoir.retried.add(job.id);
    await this.stage.jobs.retry(job.id);
    await this.stage.settled();
  }

  /** A task that ended otherwise than well is READY again; any other is left as it is. */
  async retryTask(index: number): Promise<void> {
    const tasks = this.stage.store.read
      .query<{ id: string; job: string }>(
        'SELECT t.id, j.id AS job FROM task t JOIN job j ON j.seq = t.job ORDER BY t.seq',
      )
      .all();
    const task = tasks[index % Math.max(1, tasks.length)];
    if (!task) return;
    this.memoir.retried.add(task.job);
    await this.stage.jobs
      .retryTask(task.id)
      .catch((error: { code?: string }) => expect(['TASK_NOT_FAILED', 'TASK_NOT_FOUND']).toContain(error.code));
    await this.stage.settled();
  }

  /** The same again, as another job. */
  async rerun(index: number): Promise<void> {
    const job = this.jobs[index % Math.max(1, this.jobs.length)];
    if (!job || (await this.gone(job))) return;
    const lineage = { rerunOf: job.id, rerunNode: null, parentTaskId: null, parentJobId: null, depth: 0 };
    const { jobId } = await this.stage.jobs.rerun({ ...submission(SHAPES[job.shape], [{ again: true }]), lineage });
    await this.stage.settled();
    this.jobs.push({ id: jobId, shape: job.shape, mayVanish: false });
  }

  /** A job whose caller waited and was told nothing may be gone with a master that died. */
  async gone(job: { id: string; mayVanish: boolean }): Promise<boolean> {
    if ((await this.stage.jobs.result(job.id)) !== null) {
      // It was seen now, so it stays.
      job.mayVanish = false;
      return false;
    }
    expect(job.mayVanish, `job ${job.id} was accepted and is gone`).toBe(true);
    return true;
  }

  async crash(): Promise<void> {
    this.learn();
    const file = await this.stage.crash();
    this.known = 0;
    this.stage = await openModelHarness({ clock: this.clock, file, workers: this.workers });
    await this.stage.settled();
  }

  known = 0;
  /** Leases that the present master has given since the last look. */
  learn(): void {
    this.leases.push(...this.stage.leases.slice(this.known));
    this.known = this.stage.leases.length;
  }

  /** Looks at all that must hold. */
  look = (): Promise<void> => assertInvariants(this.stage, this.workers, this.memoir);

  /** Whatever happened: with workers that work, every job comes to its end. */
  async finish(): Promise<void> {
    await this.stage.jobs.limit({ scope: 'workflow', id: 'flow', name: 'flow', most: null });
    for (const worker of this.workers.values()) await this.join(worker, 0);
    for (let round = 0; round < 200; round++) {
      const open: string[] = [];
      for (const job of this.jobs)
        if (!(await this.gone(job)) && (await this.stage.jobs.get(job.id)).finishedAt === null) open.push(job.id);
      if (open.length === 0) return this.look();
      for (let held = this.anyHeld(); held; held = this.anyHeld())
        await this.reportEnd(held, 'done', held.workerId, false, 2);
      this.clock.advance(61_000);
      await this.stage.check();
    }
    const { read } = this.stage.store;
    const stuck = read
      .query(
        'SELECT t.id, t.node, t.item, t.state, t.attempt, t.retry_at, t.ready_deadline, t.worker_id, j.id AS job FROM task t JOIN job j ON j.seq = t.job WHERE j.finished_at IS NULL LIMIT 20',
      )
      .all();
    expect.fail(
      `jobs that never end: ${JSON.stringify({ stuck, fans: read.query('SELECT * FROM fan_out').all(), overview: await this.stage.jobs.overview() }, null, 1)}`,
    );
  }

  anyHeld(): HeldLease | undefined {
    for (const { holds } of this.workers.values()) for (const held of holds.values()) return held;
    return undefined;
  }
}

describe('the engine', () => {
  it('holds its invariants through any history, and loses nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 45 }), async (steps) => {
        const history = await History.begin();
        try {
          for (const step of steps) {
            await history.run(step);
            // After a crash that nobody had looked at before, less was written.
            if (step.do !== 'crash' || step.looked) await history.look();
          }
          await history.look();
          await history.finish();
        } finally {
          await history.stage.close();
        }
      }),
      {
        numRuns: RUNS,
        seed: SEED,
        endOnFailure: process.env['YARDMASTER_MODEL_SHRINK'] === undefined,
        interruptAfterTimeLimit: 45_000,
      },
    );
  });
});
