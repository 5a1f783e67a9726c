import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import type { DraftNode, DraftRun } from '../../../../contract/drafts.ts';
import type { DraftRunBody } from '../../../api/drafts.ts';
import { createDraftRuns } from './draft-runs.ts';
import { errorLabel, nodeInput, resultLabel } from './node-input.ts';
import { edgeRuns, nodeRuns, preview } from './node-runs.ts';
import { sampleFaults } from './sample-faults.ts';
import { createSamples } from './samples.ts';

const definition: Definition = {
  schemaVersion: 1,
  name: 'Orders',
  response: 'first',
  input: { type: 'object', properties: { total: { type: 'integer', minimum: 1 } }, required: ['total'] },
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'big', type: 'condition', config: { expression: 'total > 9' } },
    { id: 'a', type: 'transform' },
    { id: 'b', type: 'transform' },
    { id: 'both', type: 'transform' },
    { id: 'out', type: 'output' },
  ],
  edges: [
    { from: 'in', to: 'big' },
    { from: 'big', to: 'a', port: 'true' },
    { from: 'big', to: 'b', port: 'false' },
    { from: 'a', to: 'both' },
    { from: 'b', to: 'both' },
    { from: 'both', to: 'out' },
  ],
  output: 'out',
};
const ran = (node: string, over: Partial<DraftNode> = {}): DraftNode => ({
  node,
  replica: 0,
  state: 'COMPLETED',
  ms: 5,
  input: { in: node },
  output: { out: node },
  error: null,
  port: null,
  standIn: false,
  items: null,
  taskId: node,
  ...over,
});
const runOf = (over: Partial<DraftRun> = {}): DraftRun => ({
  jobId: 'j',
  workflowId: 'orders',
  status: 'COMPLETED',
  createdAt: '',
  finishedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 9,
  output: 1,
  error: null,
  nodes: [ran('big', { port: 'true', output: { total: 12 } }), ran('a'), ran('both')],
  leftOut: 0,
  ...over,
});

function storage(): Storage {
  const map = new Map<string, string>();
  return {
    get length() {
      return map.size;
    },
    clear: () => map.clear(),
    key: () => null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}

function stage(answers: DraftRun[]) {
  const asked: DraftRunBody[] = [];
  const killed: string[] = [];
  let wake = () => {};
  const kept = storage();
  const runs = createDraftRuns({
    workflowId: 'orders',
    samples: createSamples(kept),
    create: async (_, body) => (asked.push(body), answers.shift() as DraftRun),
    read: async () => answers.shift() as DraftRun,
    kill: async (jobId) => killed.push(jobId),
    output: async (taskId) => JSON.stringify(`whole ${taskId}`),
    sleep: () => new Promise((resolve) => (wake = resolve)),
  });
  return { runs, asked, killed, kept, wake: () => wake() };
}

describe('draft runs in the builder', () => {
  it('run the newest definition on the example input, and look again until the end', async () => {
    const { runs, asked, wake } = stage([runOf({ finishedAt: null }), runOf()]);
    runs.setSample('{"total": 12345678901234567890}');
    runs.setOutput('a', '{"pinned": true}');
    runs.setOutput('gone', '1');
    const ended = runs.start(definition, { upTo: 'both' });
    await expect.poll(() => runs.store.getState().run?.finishedAt).toBeNull();
    expect(runs.store.getState()).toMatchObject({ busy: true, upTo: 'both' });
    wake();
    await ended;
    expect(runs.store.getState()).toMatchObject({ busy: false, run: { status: 'COMPLETED' } });
    expect(JSON.stringify(asked[0])).toContain('"inputs":[{"total":12345678901234567890}]');
    expect(asked[0]).toMatchObject({ upTo: 'both', outputs: { a: { pinned: true } } });
    expect(asked[0]).not.toHaveProperty('effects');
  });

  it('begin at a node of a job that is shown, with what came before it as it was, on its input', async () => {
    const long = `${'x'.repeat(300)}…`;
    const { runs, asked, kept } = stage([runOf()]);
    runs.setSample('{"total": 1}');
    runs.show(
      runOf({
        status: 'FAILED',
        nodes: [
          ran('big', { port: 'true', output: { total: 12 } }),
          ran('a', { output: long }),
          ran('both', { state: 'FAILED', error: { code: 'TASK_ERROR', message: 'no', retryable: true } }),
        ],
      }),
      definition,
      '{"total": 12}',
    );
    expect(runs.store.getState()).toMatchObject({ isRecorded: true, sample: '{"total": 12}' });
    await runs.start(definition, { from: 'both' });
    expect(asked[0]).toMatchObject({ inputs: [{ total: 12 }], outputs: { big: true, a: 'whole a' } });
    expect(asked[0]?.outputs).not.toHaveProperty('both');
    expect(runs.store.getState()).toMatchObject({ isRecorded: false, error: null });
    expect(runs.store.getState().borrowed).toEqual({ jobId: 'j', isChanged: false });
    runs.setSample('{"total": 13}');
    expect(runs.store.getState().borrowed).toEqual({ jobId: 'j', isChanged: true });
    // The author's own example is as it was, and is used again in the end.
    expect(createSamples(kept).load('orders')).toBe('{"total": 1}');
    runs.giveBack();
    expect(runs.store.getState()).toMatchObject({ borrowed: null, sample: '{"total": 1}' });
  });

  it('do not begin behind a list that is not whole', async () => {
    const { runs, asked } = stage([]);
    runs.show(
      runOf({ nodes: [ran('a', { output: [1], items: { total: 2, done: 2, failed: 0, input: 1 } }), ran('both')] }),
      definition,
      '{"total": 12}',
    );
    await runs.start(definition, { from: 'both' });
    expect([asked, (runs.store.getState().error as Error).message]).toEqual([
      [],
      'The output of a is too large to be reused: run the whole draft instead.',
    ]);
  });

  it('say what is wrong with an example that is no JSON, and ask nobody', async () => {
    const { runs, asked } = stage([]);
    runs.setSample('{');
    await runs.start(definition);
    expect([asked, (runs.store.getState().error as Error).message]).toEqual([
      [],
      expect.stringContaining('The input is not valid JSON'),
    ]);
  });

  it('end the job when they are stopped', async () => {
    const { runs, killed } = stage([runOf({ finishedAt: null })]);
    void runs.start(definition);
    await expect.poll(() => runs.store.getState().run).not.toBeNull();
    runs.stop();
    expect([killed, runs.store.getState().busy]).toEqual([['j'], false]);
  });

  it('keep the example for the next visit; before, the schema gives one', () => {
    const { runs, kept } = stage([]);
    expect(JSON.parse(runs.sampleFor(definition))).toEqual({ total: 1 });
    runs.setSample('{"total": 3}');
    expect(createSamples(kept).load('orders')).toBe('{"total": 3}');
  });
});

describe('what a node is given', () => {
  const sample = { value: { total: 12 } };
  const known = { isRecorded: false, sample, borrowed: null };
  const of = (id: string, run: DraftRun | null = runOf()) => nodeInput(definition, id, { ...known, run });
  it('is the output of the node before it, by the port that was taken', () => {
    expect(of('big')).toEqual({ known: true, value: { total: 12 }, from: 'sample', job: null });
    expect(of('a')).toEqual({ known: true, value: { total: 12 }, from: 'run', job: null });
    expect(of('b')).toEqual({ known: false });
  });
  it('is an object by predecessor behind a join, or what it was given last', () => {
    expect(of('both')).toMatchObject({ value: { a: { out: 'a' } } });
    expect(nodeInput({ ...definition, edges: [] }, 'both', { ...known, run: runOf() })).toMatchObject({
      value: { in: 'both' },
    });
    expect(of('a', null)).toEqual({ known: false });
  });
  it('is said to be that of the job where a job is debugged', () => {
    const jobId = '0192f2b4-0000-7000-8000-00000000abcd';
    const run = runOf({ jobId });
    const labels = (id: string, isRecorded: boolean, isChanged: boolean) => {
      const input = nodeInput(definition, id, { run, isRecorded, sample, borrowed: { jobId, isChanged } });
      return [resultLabel(input), errorLabel(input)];
    };
    const asItWas = ['Result for the input in job 00000000abcd', '(with the input in job 00000000abcd)'];
    const changed = [
      'Result for the changed input of job 00000000abcd',
      '(with the changed input of job 00000000abcd)',
    ];
    expect(labels('big', true, false)).toEqual(asItWas);
    // What the nodes were given stays as it was while the input of the whole is changed.
    expect([labels('big', true, true), labels('a', true, true)]).toEqual([changed, asItWas]);
    expect(labels('a', false, false)).toEqual([
      'Result for the input of the last draft run',
      '(with the input of the last draft run)',
    ]);
  });
});

describe('what the canvas shows of a run', () => {
  it('tells what was done, what failed, and what was not reached', () => {
    expect([...(nodeRuns(definition, runOf(), null) ?? [])]).toEqual([
      ['big', { state: 'done', text: '5 ms · → true · {"total":12}' }],
      ['a', { state: 'done', text: '5 ms · {"out":"a"}' }],
      ['b', { state: 'skipped', text: 'not reached' }],
      ['both', { state: 'done', text: '5 ms · {"out":"both"}' }],
      ['out', { state: 'done', text: '1' }],
    ]);
    const failed = runOf({
      error: { node: 'a', code: 'TASK_ERROR', message: 'no' },
      nodes: [ran('a', { state: 'FAILED', error: { code: 'TASK_ERROR', message: 'no', retryable: true } })],
    });
    expect([...(nodeRuns(definition, failed, null) ?? [])]).toEqual([['a', { state: 'failed', text: 'no' }]]);
    expect(nodeRuns(definition, null, null)).toBeNull();
  });
  it('tells of edges whether the run took them, goes on beyond them, or passed them by', () => {
    const edges = (run: DraftRun) =>
      Object.fromEntries(
        [...(edgeRuns(definition, run, null) ?? [])].map(([key, is]) => [JSON.parse(key).slice(0, 2).join(' '), is]),
      );
    const whole = edges(runOf());
    expect(whole).toMatchObject({ 'big a': 'taken', 'big b': 'missed', 'a both': 'taken', 'b both': 'missed' });
    const midway = edges(
      runOf({ finishedAt: null, nodes: [ran('big', { port: 'true' }), ran('a', { state: 'RUNNING', ms: null })] }),
    );
    expect(midway).toMatchObject({ 'big a': 'active', 'big b': 'missed' });
    expect(midway).not.toHaveProperty('a both');
  });
  it('keeps to one line', () => expect(preview({ text: 'x'.repeat(200) })).toHaveLength(61));
});

it('marks what the schema forbids in the example', () => {
  expect(sampleFaults('{"total": 0}', definition.input)).toMatchObject([{ from: 10, to: 11, severity: 'warning' }]);
  expect(sampleFaults('{"total": }', definition.input)).toMatchObject([{ severity: 'error' }]);
  expect(sampleFaults('{"total": 5}', definition.input)).toEqual([]);
});
