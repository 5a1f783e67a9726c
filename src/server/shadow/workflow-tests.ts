import { createHash } from 'node:crypto';
import type { Definition, WorkflowNode } from '../../contract/definition.ts';
import type { Recording, RecordedNode, ReplayResult } from '../../contract/replay.ts';
import { findSecretNames } from '../../contract/secret-names.ts';
import { OUTSIDE_TYPES } from '../../contract/node-types.ts';
import { workerLimits } from '../../contract/worker-protocol.ts';
import type { TestCase, TestReport, TestResult } from '../../contract/workflow-tests.ts';
import { iso } from '../../lib/clock.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { isRecord } from '../../lib/is-record.ts';
import { parseJson, parseStored, withPlainNumbers } from '../../lib/json.ts';
import type { Access } from '../access/port.ts';
import type { Actor, Workflows } from '../workflows/port.ts';
import { externalForeachNodes } from './compare-outcome.ts';
import type { RunDeps } from './run.ts';
import { openReplayProcess, ReplayProcessCrashed, type ReplayProcess } from './replay-process.ts';

export interface WorkflowTestDeps extends Omit<RunDeps, 'workflows'> {
  readonly workflows: Pick<Workflows, 'runnable' | 'get' | 'check' | 'environments' | 'projectOf'>;
  readonly record: Access['audit']['record'];
  /** Why a JSON text does not match a schema; null: it does. */
  mismatch(schema: unknown, text: string): Promise<string | null>;
}

export interface StoredCases {
  readonly cases: TestCase[];
  readonly updatedAt: string | null;
  readonly updatedBy: string | null;
}

/** Test cases of workflows. */
export interface WorkflowTests {
  /** Throws WORKFLOW_NOT_FOUND, as all do. */
  get(workflowId: string): Promise<StoredCases>;
  /** Throws VALIDATION_FAILED. */
  replace(workflowId: string, cases: TestCase[], actor: Actor): Promise<StoredCases>;
  /** Runs the given cases, else those that are saved. Throws COMMIT_NOT_FOUND, INVALID_DAG, and OVERLOADED where too many run. */
  run(
    workflowId: string,
    version: { commit: string } | { definition: Definition },
    cases?: TestCase[],
  ): Promise<TestReport>;
  /** A case of one replica of a job that has ended, without the values of secrets. */
  fromJob(workflowId: string, of: { jobId: string; replica: number; name: string }): Promise<TestCase>;
}

interface Row {
  cases: string;
  updated_at: number;
  updated_by: string;
}

const CASES = 'SELECT cases, updated_at, updated_by FROM workflow_test WHERE workflow_id = ?';
const PUT_CASES =
  'INSERT OR REPLACE INTO workflow_test (workflow_id, cases, updated_at, updated_by) VALUES (?, ?, ?, ?)';
const SHOWN = 20;

export function createWorkflowTests(deps: WorkflowTestDeps): WorkflowTests {
  const { store, limits, workflows, jobs, secrets, refusal, record, mismatch, now } = deps;
  /** Runs under way, by project. */
  const running = new Map<string, number>();

  const stored = (workflowId: string): StoredCases => {
    const row = store.read.query<Row>(CASES).get(workflowId);
    return row
      ? { cases: parseStored<TestCase[]>(row.cases), updatedAt: iso(row.updated_at), updatedBy: row.updated_by }
      : { cases: [], updatedAt: null, updatedBy: null };
  };

  return {
    async get(workflowId) {
      await workflows.get(workflowId);
      return stored(workflowId);
    },
    async replace(workflowId, cases, actor) {
      await workflows.get(workflowId);
      checkCases(cases);
      const text = JSON.stringify(cases);
      const bytes = Buffer.byteLength(text);
      if (bytes > limits.workflowTestBytes)
        throw invalidAt('/cases', `the cases have ${bytes} bytes; the maximum is ${limits.workflowTestBytes}`);
      const at = now();
      await store.write((db) => {
        const before = db.query<Row>(CASES).get(workflowId);
        db.statement(PUT_CASES).run(workflowId, text, at, actor.name);
        record(db, actor, {
          action: 'workflow.tests',
          target: `workflow:${workflowId}`,
          before: before ? { cases: parseStored<TestCase[]>(before.cases).map(({ name }) => name) } : null,
          after: { cases: cases.map(({ name }) => name) },
        });
      });
      return stored(workflowId);
    },
    async run(workflowId, version, given) {
      await workflows.get(workflowId);
      const cases = given ?? stored(workflowId).cases;
      if (given) checkCases(given);
      const definition = await definitionOf(workflowId, version);
      const leave = enter(workflows.projectOf(workflowId) ?? '');
      const ends = performance.now() + limits.workflowTestSeconds * 1000;
      const replayProcess = openReplayProcess(limits.shadowMemoryBytes);
      try {
        const results: TestResult[] = [];
        const reached = new Set<string>();
        const taken = new Set<string>();
        for (const one of cases) {
          const { difference, nodes, edges } =
            performance.now() < ends ? await runCase(replayProcess, workflowId, definition, one) : lateCase();
          for (const id of nodes) reached.add(id);
          for (const edge of edges) taken.add(edgeKey(edge));
          const shown = difference === null ? {} : { difference: secrets.redactor.text(difference) };
          results.push({ name: one.name, ok: difference === null, ...shown });
        }
        const passed = results.filter(({ ok }) => ok).length;
        const ids = definition.nodes.map(({ id }) => id);
        return {
          passed,
          failed: results.length - passed,
          cases: results,
          coverage: {
            nodes: ids.filter((id) => reached.has(id)),
            missed: ids.filter((id) => !reached.has(id)),
            edges: definition.edges.filter((edge) => taken.has(edgeKey(edge))),
            missedEdges: definition.edges.filter((edge) => !taken.has(edgeKey(edge))),
          },
        };
      } finally {
        leave();
        await replayProcess.close();
      }
    },
    async fromJob(workflowId, { jobId, replica, name }) {
      await workflows.get(workflowId);
      const job = await jobs.get(jobId);
      if (job.workflowId !== workflowId)
        throw new Fault('JOB_NOT_FOUND', `job ${jobId} of workflow ${workflowId} not found`);
      const { nodes } = workflows.runnable(workflowId, job.commit).definition;
      const lists = externalForeachNodes(nodes);
      const input = await jobs.inputText(jobId, { node: null, replica });
      const recording = parseStored<Recording>(
        await jobs.recorded.text({ jobId, replica }, lists, limits.shadowRecordingBytes),
      );
      const outputs: Record<string, unknown> = {};
      for (const node of nodes) {
        const items = recording.items[node.id];
        const own = recording.nodes[node.id];
        if (OUTSIDE_TYPES.has(node.type) && own?.output) outputs[node.id] = plain(own.output);
        else if (lists.includes(node.id) && items)
          outputs[node.id] = [...items].sort((a, b) => a.item - b.item).map(({ output }) => plain(output ?? 'null'));
      }
      const expect =
        recording.output === null
          ? { failure: recording.failure?.code ?? 'TASK_ERROR' }
          : { output: plain(recording.output) };
      return secrets.redactor.value({ name, input: plain(input) as Record<string, unknown>, outputs, expect });
    },
  };

  /** Nobody's cases keep those of another project from running. Call what comes back when they have run. */
  function enter(project: string): () => void {
    const most = limits.workflowTestRuns;
    const own = running.get(project) ?? 0;
    const all = [...running.values()].reduce((sum, n) => sum + n, 0);
    if (all >= most || own >= Math.max(1, most - 1))
      throw new Fault('OVERLOADED', `${all} runs of test cases are already running: try again later`, {
        extra: { retryAfterSeconds: 5 },
      });
    running.set(project, own + 1);
    return () => {
      const left = (running.get(project) ?? 1) - 1;
      if (left > 0) running.set(project, left);
      else running.delete(project);
    };
  }

  function lateCase(): { difference: string; nodes: readonly string[]; edges: ReplayResult['taken'] } {
    const seconds = limits.workflowTestSeconds;
    return { difference: `did not run: the cases took ${seconds} s (limit workflowTestSeconds)`, nodes: [], edges: [] };
  }

  async function definitionOf(
    workflowId: string,
    version: { commit: string } | { definition: Definition },
  ): Promise<Definition> {
    if ('commit' in version) return workflows.runnable(workflowId, version.commit).definition;
    const faults = await workflows.check(version.definition, workflowId);
    if (faults.length === 0) return version.definition;
    throw new Fault('INVALID_DAG', 'the definition has validation errors: fix them before its tests run', {
      errors: faults.map(({ pointer, message }) => ({ pointer: `/definition${pointer}`, message })),
    });
  }

  /** `difference` null: it came out as expected. */
  async function runCase(
    replayProcess: ReplayProcess,
    workflowId: string,
    definition: Definition,
    { input: given, outputs = {}, expect }: TestCase,
  ): Promise<{ difference: string | null; nodes: readonly string[]; edges: ReplayResult['taken'] }> {
    const input = JSON.stringify(given);
    const recording: Recording = {
      output: expect.output === undefined ? null : JSON.stringify(expect.output),
      failure: null,
      ...standIns(definition.nodes, outputs),
    };
    const commit = `test:${createHash('sha256')
      .update(JSON.stringify(definition.input ?? true))
      .digest('hex')}`;
    try {
      const result = await replayProcess.run(
        {
          definition,
          workflowId,
          input,
          refused: await refusal({ commit, definition }, input),
          recording: JSON.stringify(recording),
          configs: {},
          secrets: placeholders(definition.nodes),
          runTimeoutSeconds: limits.runTimeoutSeconds,
          limits: workerLimits(limits),
          ...(expect.expression === undefined ? {} : { holds: expect.expression }),
        },
        limits.shadowInputSeconds,
      );
      return { difference: await judge(result, expect), nodes: result.reached, edges: result.taken };
    } catch (error) {
      if (!(error instanceof ReplayProcessCrashed)) throw error;
      return { difference: error.message, nodes: [], edges: [] };
    }
  }

  async function judge(result: ReplayResult, expect: TestCase['expect']): Promise<string | null> {
    const { failure, missing, output, differences, holds } = result;
    if (missing) return `${missing.message}: give the case a stand-in for it in outputs`;
    if (expect.failure !== undefined) {
      if (failure?.code === expect.failure) return null;
      return failure
        ? `expected failure ${expect.failure}, node ${failure.node} failed with ${failure.code}: ${failure.message}`
        : `expected failure ${expect.failure}, the workflow completed`;
    }
    if (failure) return `node ${failure.node} failed with ${failure.code}: ${failure.message}`;
    if (expect.output !== undefined) {
      if (differences.total === 0) return null;
      const shown = differences.items
        .slice(0, SHOWN)
        .map(({ path, before, after }) => `${path || '/'}: expected ${before ?? 'nothing'}, got ${after ?? 'nothing'}`);
      const more = differences.total - shown.length;
      return `${shown.join('\n')}${more > 0 ? `\nand ${more} more` : ''}`;
    }
    if (expect.schema !== undefined) {
      const wrong = await mismatch(expect.schema, output ?? 'null');
      return wrong === null ? null : `the output does not match the schema: ${wrong}`;
    }
    if (holds === true) return null;
    return typeof holds === 'string'
      ? `the expression failed: ${holds}`
      : `${expect.expression ?? ''} is not true of the output`;
  }
}

const edgeKey = ({ from, to, port }: ReplayResult['taken'][number]): string => JSON.stringify([from, to, port ?? null]);
const plain = (text: string): unknown => withPlainNumbers(parseJson(text));

/** Names are told apart, and each says one thing that it expects. */
function checkCases(cases: readonly TestCase[]): void {
  const names = new Set<string>();
  for (const [i, { name, expect }] of cases.entries()) {
    if (names.has(name)) throw invalidAt(`/cases/${i}/name`, `there are two cases named ${JSON.stringify(name)}`);
    names.add(name);
    if (Object.keys(expect).length !== 1)
      throw invalidAt(`/cases/${i}/expect`, 'expected exactly one of output, schema, expression and failure');
  }
}

/** What nodes that reach outside are given, as if it had been recorded. */
function standIns(nodes: readonly WorkflowNode[], outputs: Readonly<Record<string, unknown>>) {
  const recorded: Record<string, RecordedNode> = {};
  const items: Record<string, Recording['items'][string][number][]> = {};
  for (const { id, type } of nodes) {
    if (!Object.hasOwn(outputs, id)) continue;
    const output = outputs[id];
    if (type === 'forEach')
      items[id] = (Array.isArray(output) ? output : []).map((one, item) => ({
        ...{ item, input: 'null', output: JSON.stringify(one) ?? 'null', error: null },
      }));
    else recorded[id] = { type, ms: null, input: 'null', output: JSON.stringify(output) ?? 'null', error: null };
  }
  return { nodes: recorded, items };
}

/** Tests are given no secrets: each name stands for itself. */
const placeholders = (nodes: readonly WorkflowNode[]): Record<string, { value: string }> =>
  Object.fromEntries(
    nodes
      .flatMap(({ type, config = {} }) => {
        const inner = isRecord(config['node']) ? config['node'] : null;
        const of = inner && isRecord(inner['config']) ? findSecretNames(String(inner['type']), inner['config']) : [];
        return [...findSecretNames(type, config), ...of];
      })
      .map((name) => [name, { value: `test-${name}` }]),
  );
