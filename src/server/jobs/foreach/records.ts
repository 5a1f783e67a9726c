import type { FanRule } from '../engine/plan.ts';
import type { JobRecord, TextRef } from '../engine/records.ts';
import type { Unit } from '../engine/transaction.ts';
import * as sql from './sql.ts';

/**
 * `list`: its list comes in. `expand`: its tasks are being made. `run`: they run. `stop`: those that are open are being
 * stopped, because one failed. `stopped`: they are. `revive`: those that were stopped are being made READY again. `done`:
 * the outputs are joined and handed on.
 */
export type FanPhase = 'list' | 'expand' | 'run' | 'stop' | 'stopped' | 'revive' | 'done';

/**
 * One forEach of one replica, once its list came in: counts of its items, so that the end of an item costs no look at
 * the others. In memory while its job is; the row says the same after each turn.
 */
export interface Fan {
  readonly job: JobRecord;
  readonly replica: number;
  readonly node: string;
  readonly rule: FanRule;
  /** What the node was given. */
  readonly input: TextRef;
  phase: FanPhase;
  /** The attempt of the task that evaluates the list, how many items of it came, and their characters. */
  attempt: number;
  received: number;
  listCharacters: number;
  /** Null until the whole list is there. */
  total: number | null;
  born: number;
  /** Items queued or with workers: at most the rule's concurrency. */
  active: number;
  withheld: number;
  completed: number;
  /** Finally failed, for whatever reason. */
  failed: number;
  /** Of the joined outputs. */
  outputCharacters: number;
  output: TextRef;
  stored: boolean;
  /** Items that ended (or, negative, were opened again) in this turn, by part. */
  ended: Map<number, number>;
  /** A withheld item changed in this turn, so that rows must be written before they are read. */
  stirred: boolean;
}

/** A fan-out with more to do than one turn takes. */
export interface FanAtWork {
  readonly job: number;
  readonly replica: number;
  readonly node: string;
  /** What it is at, and the items before `cursor` have been looked at for that. */
  readonly phase: FanPhase | null;
  cursor: number;
}

export interface FanRow {
  job: number;
  replica: number;
  node: string;
  phase: FanPhase;
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
  input_payload: number | null;
  input_task: number | null;
  output: string | null;
  output_payload: number | null;
}

export const fanKey = (replica: number, node: string): string => `${replica} ${node}`;

/** The fan-out of a node in a replica; undefined where no list came yet. */
export function findFan(unit: Unit, job: JobRecord, replica: number, node: string): Fan | undefined {
  const known = job.fans?.get(fanKey(replica, node));
  if (known) return known;
  const row = unit.db.query<FanRow>(sql.FAN).get(job.seq, replica, node);
  return row && keep(job, fanFrom(row, job));
}

/** Begins a fan-out: its list comes in. */
export function beginFan(
  unit: Unit,
  job: JobRecord,
  replica: number,
  node: string,
  attempt: number,
  input: TextRef,
): Fan {
  const fan = keep(job, {
    job,
    replica,
    node,
    rule: ruleOf(job, node),
    input,
    phase: 'list',
    attempt,
    received: 0,
    listCharacters: 0,
    total: null,
    born: 0,
    active: 0,
    withheld: 0,
    completed: 0,
    failed: 0,
    outputCharacters: 0,
    output: { text: null, payload: null, task: null },
    stored: false,
    ended: new Map(),
    stirred: false,
  });
  unit.undo.push(() => void job.fans?.delete(fanKey(replica, node)));
  touchFan(unit, fan);
  return fan;
}

/** Call before a fan-out is changed. */
export function touchFan(unit: Unit, fan: Fan): void {
  if (!unit.fans.has(fan)) unit.fans.set(fan, { ...fan });
}

/** Writes those touched in this turn. */
export function flushFans(unit: Unit): void {
  for (const fan of unit.fans.keys()) {
    const {
      job,
      replica,
      node,
      phase,
      attempt,
      received,
      listCharacters,
      total,
      born,
      active,
      withheld,
      completed,
      failed,
      outputCharacters,
      input,
      output,
    } = fan;
    if (fan.stored)
      unit.db
        .statement(sql.UPDATE_FAN)
        .run(
          phase,
          attempt,
          received,
          listCharacters,
          total,
          born,
          active,
          withheld,
          completed,
          failed,
          outputCharacters,
          output.text,
          output.payload,
          job.seq,
          replica,
          node,
        );
    else
      unit.db
        .statement(sql.INSERT_FAN)
        .run(
          job.seq,
          replica,
          node,
          phase,
          attempt,
          received,
          listCharacters,
          total,
          born,
          active,
          withheld,
          completed,
          failed,
          outputCharacters,
          input.text,
          input.payload,
          input.task,
          output.text,
          output.payload,
        );
    fan.stored = true;
  }
}

export function undoFans(unit: Unit): void {
  for (const [fan, before] of unit.fans) Object.assign(fan, before, { ended: new Map(), stirred: false });
}

/** After the commit. Those that are done are read in again should somebody ask. */
export function keepFans(unit: Unit): void {
  for (const fan of unit.fans.keys()) {
    fan.stirred = false;
    if (fan.phase === 'done') fan.job.fans?.delete(fanKey(fan.replica, fan.node));
  }
}

function keep(job: JobRecord, fan: Fan): Fan {
  (job.fans ??= new Map()).set(fanKey(fan.replica, fan.node), fan);
  return fan;
}

/** A commit that cannot be run any more has no rule: its items fail one by one at their workers. */
function ruleOf(job: JobRecord, id: string): FanRule {
  const node = job.plan.nodes.get(id);
  if (!node) throw new Error(`no node ${id} in commit ${job.plan.commit}`);
  return node.fan ?? { item: node, concurrency: 1, collect: false };
}

function fanFrom(row: FanRow, job: JobRecord): Fan {
  return {
    job,
    replica: row.replica,
    node: row.node,
    rule: ruleOf(job, row.node),
    input: { text: row.input, payload: row.input_payload, task: row.input_task },
    phase: row.phase,
    attempt: row.attempt,
    received: row.received,
    listCharacters: row.list_characters,
    total: row.total,
    born: row.born,
    active: row.active,
    withheld: row.withheld,
    completed: row.completed,
    failed: row.failed,
    outputCharacters: row.output_characters,
    output: { text: row.output, payload: row.output_payload, task: null },
    stored: true,
    ended: new Map(),
    stirred: false,
  };
}
