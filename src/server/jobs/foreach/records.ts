import type { Value } from '../../store/port.ts';
import type { ForeachRule } from '../engine/plan.ts';
import { NO_TEXT, type JobRecord, type TextRef, type ForeachPhase, type ForeachRecord } from '../engine/records.ts';
import * as sql from './sql.ts';
import type { Transaction } from '../engine/port.ts';

export interface ForeachRow {
  job: number;
  replica: number;
  node: string;
  phase: ForeachPhase;
  attempt: number;
  received: number;
  list_characters: number;
  total: number | null;
  born: number;
  active: number;
  withheld: number;
  completed: number;
  failed: number;
  output_characters: number;
  input: string | null;
  input_sum: number | null;
  input_payload: number | null;
  input_task: number | null;
  output: string | null;
  output_sum: number | null;
  output_payload: number | null;
}

/** Where a forEach keeps its text. */
export const foreachText = (row: ForeachRow, which: 'input' | 'output'): TextRef => ({
  text: row[which],
  sum: row[`${which}_sum`],
  payload: row[`${which}_payload`],
  task: which === 'input' ? row.input_task : null,
});

export const foreachKey = (replica: number, node: string): string => `${replica} ${node}`;

/** The forEach of a node in a replica; undefined where no list came yet. */
export function findForeach(tx: Transaction, job: JobRecord, replica: number, node: string): ForeachRecord | undefined {
  const known = job.foreachRecords?.get(foreachKey(replica, node));
  if (known) return known;
  const row = tx.db.query<ForeachRow>(sql.SELECT_FOREACH).get(job.seq, replica, node);
  return row && keepInJob(job, foreachFromRow(row, job));
}

/** Begins a forEach: its list comes in. */
export function beginForeach(
  tx: Transaction,
  job: JobRecord,
  replica: number,
  node: string,
  attempt: number,
  input: TextRef,
): ForeachRecord {
  const foreach = keepInJob(job, {
    job,
    replica,
    node,
    rule: foreachRuleOf(job, node),
    input,
    phase: 'list',
    attempt,
    received: 0,
    listCharacters: 0,
    total: null,
    created: 0,
    active: 0,
    withheld: 0,
    completed: 0,
    failed: 0,
    outputCharacters: 0,
    output: NO_TEXT,
    stored: false,
    ended: new Map(),
    hasUnwrittenItems: false,
  });
  tx.undo.push(() => void job.foreachRecords?.delete(foreachKey(replica, node)));
  touchForeach(tx, foreach);
  return foreach;
}

/** Call before a forEach is changed. */
export function touchForeach(tx: Transaction, foreach: ForeachRecord): void {
  if (!tx.foreachRecords.has(foreach)) tx.foreachRecords.set(foreach, { ...foreach });
}

/** Writes those touched in this turn. */
export function flushForeachRecords(tx: Transaction): void {
  for (const foreach of tx.foreachRecords.keys()) {
    const { job, replica, node, input, output } = foreach;
    const key = [job.seq, replica, node];
    const changing = changingValues(foreach);
    if (foreach.stored)
      tx.db.statement(sql.UPDATE_FOREACH).run(...changing, output.text, output.sum, output.payload, ...key);
    else
      tx.db
        .statement(sql.INSERT_FOREACH)
        .run(
          ...key,
          ...changing,
          input.text,
          input.sum,
          input.payload,
          input.task,
          output.text,
          output.sum,
          output.payload,
        );
    foreach.stored = true;
  }
}

/** In the order of `CHANGING` (sql.ts). */
const changingValues = (foreach: ForeachRecord): Value[] => [
  foreach.phase,
  foreach.attempt,
  foreach.received,
  foreach.listCharacters,
  foreach.total,
  foreach.created,
  foreach.active,
  foreach.withheld,
  foreach.completed,
  foreach.failed,
  foreach.outputCharacters,
];

export function undoForeachRecords(tx: Transaction): void {
  for (const [foreach, before] of tx.foreachRecords)
    Object.assign(foreach, before, { ended: new Map(), hasUnwrittenItems: false });
}

/** After the commit. Those that are done are read in again should somebody ask. */
export function commitForeachRecords(tx: Transaction): void {
  for (const foreach of tx.foreachRecords.keys()) {
    foreach.hasUnwrittenItems = false;
    if (foreach.phase === 'done') foreach.job.foreachRecords?.delete(foreachKey(foreach.replica, foreach.node));
  }
}

function keepInJob(job: JobRecord, foreach: ForeachRecord): ForeachRecord {
  (job.foreachRecords ??= new Map()).set(foreachKey(foreach.replica, foreach.node), foreach);
  return foreach;
}

/** A commit that cannot be run any more has no rule: its items fail one by one at their workers. */
function foreachRuleOf(job: JobRecord, id: string): ForeachRule {
  const node = job.plan.nodes.get(id);
  if (!node) throw new Error(`node ${id} not found in commit ${job.plan.commit}`);
  return node.foreach ?? { item: node, concurrency: 1, collect: false };
}

function foreachFromRow(row: ForeachRow, job: JobRecord): ForeachRecord {
  return {
    job,
    replica: row.replica,
    node: row.node,
    rule: foreachRuleOf(job, row.node),
    input: foreachText(row, 'input'),
    phase: row.phase,
    attempt: row.attempt,
    received: row.received,
    listCharacters: row.list_characters,
    total: row.total,
    created: row.born,
    active: row.active,
    withheld: row.withheld,
    completed: row.completed,
    failed: row.failed,
    outputCharacters: row.output_characters,
    output: foreachText(row, 'output'),
    stored: true,
    ended: new Map(),
    hasUnwrittenItems: false,
  };
}
