import { itemAt } from '../../lib/item-at.ts';
import { paginate } from '../../lib/page.ts';
import { putRow, readPage } from '../store/rows.ts';
import { parseStored } from '../../lib/json.ts';
import type { ShadowIgnores } from '../../contract/shadow-replays.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Access } from '../access/port.ts';
import type { Workflows } from '../workflows/port.ts';
import { parseIgnoredPaths } from './ignored-paths.ts';
import type { Shadow } from './port.ts';
import { replayView, resultView, resultVerdict, type ReplayRow, type ResultRow } from './rows.ts';
import { runReplay, type RunDeps } from './run.ts';
import * as sql from './sql.ts';
import { openReplayProcess } from './replay-process.ts';

export interface ShadowDeps extends RunDeps {
  readonly workflows: Pick<Workflows, 'runnable' | 'get' | 'environments'>;
  readonly record: Access['audit']['record'];
  onError(error: unknown): void;
}

const COUNT = 50;

/** Backtests. Those that did not finish before a restart of the master continue. */
export function createShadow(deps: ShadowDeps): Shadow {
  const { store, limits, workflows, jobs, record, now, onError } = deps;
  const { read } = store;
  const running = new Map<string, { stop(): Promise<void> }>();
  let closing = false;
  /** Replays that are about to run: more calls may come while they are being made. */
  let starting = 0;

  const rowOf = (id: string): ReplayRow => {
    const row = read.query<ReplayRow>(sql.BY_ID).get(id);
    if (!row)
      throw new Fault(
        'SHADOW_NOT_FOUND',
        `backtest ${id} not found; the ${limits.shadowReplaysKept} latest of each workflow are kept`,
      );
    return row;
  };
  const ignoresOf = (workflowId: string): string[] =>
    parseStored<string[]>(read.query<{ paths: string }>(sql.IGNORES).get(workflowId)?.paths ?? '[]');
  const ignored = (workflowId: string) => parseIgnoredPaths(ignoresOf(workflowId));
  const view = (row: ReplayRow, skip = ignored(row.workflow_id)) =>
    replayView(row, read.query<ResultRow>(sql.JUDGED).iterate(row.id), skip);

  /** Readies the run of a replay, which `go` begins: whoever aborts it before finds it here too. */
  function ready(row: ReplayRow): { go(run: boolean): void } {
    const replayProcess = openReplayProcess(limits.shadowMemoryBytes);
    const { promise: go, resolve } = Promise.withResolvers<boolean>();
    let stopped = false;
    const ended = go
      .then((run) => (run && !stopped ? runReplay(deps, row, replayProcess, () => stopped || closing) : undefined))
      .catch(async (error: unknown) => {
        if (stopped || closing) return;
        onError(error);
        await store.write((db) => db.statement(sql.END).run('ABORTED', now(), row.id));
      })
      .catch(onError)
      .finally(async () => {
        running.delete(row.id);
        await replayProcess.close();
      });
    running.set(row.id, {
      async stop() {
        stopped = true;
        resolve(false);
        await replayProcess.close();
        await ended;
      },
    });
    return { go: resolve };
  }

  for (const row of read.query<ReplayRow>(sql.RUNNING).all()) ready(row).go(true);

  return {
    async start(workflowId, { commit, environment, count = COUNT, where = {} }, actor) {
      await workflows.get(workflowId);
      if (count > limits.shadowInputs)
        throw invalidAt(
          '/count',
          `count is ${count}; a backtest runs at most ${limits.shadowInputs} inputs`,
          `must be at most ${limits.shadowInputs}`,
        );
      const candidate = workflows.runnable(workflowId, commit);
      if (running.size + starting >= limits.shadowReplays)
        throw new Fault(
          'OVERLOADED',
          `${running.size + starting} backtests are already running: wait for one to finish, or abort one`,
          { extra: { retryAfterSeconds: 5 } },
        );
      starting++;
      let counted = true;
      /** From then on it is counted among those that run. */
      const begun = () => {
        if (counted) starting--;
        counted = false;
      };
      try {
        const against =
          (await workflows.environments(workflowId)).find((pointer) => pointer.environment === environment)?.hash ??
          null;
        const inputs = await jobs.recorded.inputs({ workflowId, environment, count, where });
        const warnings: string[] = [];
        if (against !== null) {
          const { response } = workflows.runnable(workflowId, against).definition;
          if (response !== candidate.definition.response)
            warnings.push(
              `the response mode changes from "${response}" to "${candidate.definition.response}": the backtest compares outputs per input, but callers get a response of a different shape`,
            );
        }
        const at = now();
        const status = inputs.length === 0 ? 'DONE' : 'RUNNING';
        const row: ReplayRow = {
          id: uuidv7(at),
          workflow_id: workflowId,
          commit_hash: candidate.commit,
          environment,
          against,
          chosen_by: JSON.stringify(where),
          warnings: JSON.stringify(warnings),
          inputs: JSON.stringify(inputs.map(({ jobId, replica, commit: ran }) => [jobId, replica, ran])),
          status,
          total: inputs.length,
          done: 0,
          created_at: at,
          finished_at: status === 'DONE' ? at : null,
          created_by: actor.name,
        };
        const replay = status === 'RUNNING' && !closing ? ready(row) : null;
        begun();
        const written = store.write((db) => {
          putRow(db, 'shadow_replay', { ...row });
          for (const { id } of db.query<{ id: string }>(sql.OLD).all(workflowId, limits.shadowReplaysKept))
            for (const statement of sql.REMOVE) db.statement(statement).run(id);
          record(db, actor, {
            action: 'shadow.start',
            target: `workflow:${workflowId}`,
            before: null,
            after: { replay: row.id, commit: row.commit_hash, environment, inputs: row.total },
          });
        });
        await written.then(
          () => replay?.go(true),
          (error: unknown) => {
            replay?.go(false);
            throw error;
          },
        );
        return view(read.query<ReplayRow>(sql.BY_ID).get(row.id) ?? row);
      } finally {
        begun();
      }
    },
    async list(workflowId, { page, size, commit = null }) {
      await workflows.get(workflowId);
      const skip = ignored(workflowId);
      return readPage(
        read,
        { from: sql.OF_WORKFLOW, order: 'created_at DESC, id DESC', values: [workflowId, commit, commit] },
        { page, size },
        (row: ReplayRow) => view(row, skip),
      );
    },
    get: (id) => view(rowOf(id)),
    results(id, { page, size, verdict }) {
      const skip = ignored(rowOf(id).workflow_id);
      const rows = read
        .query<ResultRow>(sql.JUDGED)
        .all(id)
        .filter((row) => verdict === undefined || resultVerdict(row, skip) === verdict);
      return paginate(rows, { page, size }, ({ number }) => {
        const { cut: _cut, ...shown } = resultView(itemAt(read.query<ResultRow>(sql.RESULT).all(id, number), 0), skip);
        return shown;
      });
    },
    resultText(id, number) {
      const row = read.query<ResultRow>(sql.RESULT).get(id, number);
      if (!row) throw new Fault('SHADOW_NOT_FOUND', `backtest ${id} has no result ${number} (yet)`);
      const texts = read
        .query<{ input: string | null; before: string | null; after: string | null }>(sql.TEXTS)
        .get(id, number);
      const shown = resultView(row, ignored(rowOf(id).workflow_id));
      const same = shown.errorBefore === null && shown.errorAfter === null && shown.differencesTotal === 0;
      return `${JSON.stringify(shown).slice(0, -1)},"input":${texts?.input ?? 'null'},"before":${texts?.before ?? (same ? (texts?.after ?? 'null') : 'null')},"after":${texts?.after ?? 'null'}}`;
    },
    async abort(id, actor) {
      const row = rowOf(id);
      await running.get(id)?.stop();
      if (row.status === 'RUNNING')
        await store.write((db) => {
          if (db.statement(sql.END).run('ABORTED', now(), id) > 0)
            record(db, actor, {
              action: 'shadow.abort',
              target: `workflow:${row.workflow_id}`,
              before: { replay: id, status: 'RUNNING' },
              after: { status: 'ABORTED' },
            });
        });
      return view(rowOf(id));
    },
    async ignores(workflowId): Promise<ShadowIgnores> {
      await workflows.get(workflowId);
      return { paths: ignoresOf(workflowId) };
    },
    async ignore(workflowId, { paths }, actor) {
      await workflows.get(workflowId);
      const unique = [...new Set(paths)];
      await store.write((db) => {
        const before = parseStored<string[]>(db.query<{ paths: string }>(sql.IGNORES).get(workflowId)?.paths ?? '[]');
        db.statement(sql.PUT_IGNORES).run(workflowId, JSON.stringify(unique));
        record(db, actor, {
          action: 'shadow.ignore',
          target: `workflow:${workflowId}`,
          before: { paths: before },
          after: { paths: unique },
        });
      });
      return { paths: unique };
    },
    async close() {
      closing = true;
      await Promise.all([...running.values()].map((one) => one.stop()));
    },
  };
}
