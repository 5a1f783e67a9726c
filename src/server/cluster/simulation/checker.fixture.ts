import Database from 'better-sqlite3';
import { applyTurns } from '../replica/apply-turns.ts';
import { contentOf, MIGRATIONS } from './disk.fake.ts';
import { emptyTables, type EntryRow, type FailoverRow, type SnapshotRow, type Tables } from './tables.fake.ts';
import type { World } from './world.fixture.ts';

/** `once`: a write without an idempotency key, which its client never repeats. */
export type Request = { readonly kind: 'write' | 'once'; readonly id: string } | { readonly kind: 'read' };
/** `n`: the number of the operation, or how many a reader saw; `id` of the last one. */
export interface Answer {
  readonly n: number;
  readonly id: string | null;
}
/** What somebody was told before a request began: at least so many operations are there. */
export interface Asked {
  readonly request: Request;
  readonly floor: number;
}

/** Holds what masters tell against what the journal has. */
export interface Checker {
  readonly tables: Tables;
  readonly acknowledged: number;
  readonly reads: number;
  readonly lastTurn: number;
  ask(request: Request): Asked;
  /** A write without a key has arrived at an owner: gives what names it there. */
  arrived(id: string): string;
  answered(by: { readonly process: string; readonly epoch: number }, asked: Asked, answer: Answer): void;
  /** An owner has opened its store, which holds this. */
  opened(process: string, epoch: number, content: string): void;
  readonly content: string;
}

export function createChecker(world: World): Checker {
  const tables = emptyTables({ appended, tookOver, snapshotTaken });
  const db = new Database(':memory:');
  const truth = applyTurns(db, MIGRATIONS, tables.statements);
  /** The ID of the operation with each number. */
  const ids: string[] = [''];
  const bodies = new Map<number, Uint8Array>();
  const epochs: number[] = [];
  const owners = new Map<number, string>();
  const speakers = new Map<number, string>();
  let arrivals = 0;
  /** Writes without a key that took place. */
  const done = new Set<string>();
  let operationsFrom: Database.Statement<[number], { id: string; n: number }> | null = null;
  let lastTurn = 0;
  let lastEpoch = 0;
  let told = 0;
  let acknowledged = 0;
  let reads = 0;

  function appended({ first, last, epoch, body }: EntryRow, owner: string): void {
    const before = bodies.get(first);
    bodies.set(first, body);
    // The journal was trimmed, and a statement that its owner had given up ran late: nobody reads the entry any more.
    if (before && first <= lastTurn && epoch === tables.partition.epoch && Buffer.compare(before, body) === 0) return;
    if (first !== lastTurn + 1) world.broken(`the journal has turn ${first} after turn ${lastTurn}`);
    if (epoch < lastEpoch || epoch !== tables.partition.epoch)
      world.broken(
        `turn ${first} was appended in epoch ${epoch}, after epoch ${Math.max(lastEpoch, tables.partition.epoch)} had begun`,
      );
    if (owners.get(epoch) !== owner)
      world.broken(`turn ${first} of epoch ${epoch} was appended by ${owner}, who does not own it`);
    if (world.violation !== null) return;
    for (let turn = first; turn <= last; turn++) epochs[turn] = epoch;
    lastTurn = last;
    lastEpoch = epoch;
    truth.apply([{ epoch, body }]);
    operationsFrom ??= db.prepare<[number], { id: string; n: number }>('SELECT id, n FROM op WHERE n >= ? ORDER BY n');
    for (const { id, n } of operationsFrom.all(ids.length)) {
      if (n !== ids.length) world.broken(`operation ${n} follows operation ${ids.length - 1}`);
      ids[n] = id;
      const [once, arrival] = id.split('#');
      if (once === undefined || arrival === undefined) continue;
      if (done.has(once)) world.broken(`operation ${once} took place twice, and was asked for once, without a key`);
      done.add(once);
    }
  }

  function snapshotTaken({ turn, epoch, by }: SnapshotRow): void {
    if (epochs[turn] !== epoch)
      world.broken(`${by} took a snapshot at turn ${turn} of epoch ${epoch}, which the journal does not have`);
  }

  function tookOver({ epoch, to, reason }: FailoverRow): void {
    world.note(to, `owns epoch ${epoch} (${reason})`);
    if (owners.has(epoch) || epoch <= lastEpoch) world.broken(`epoch ${epoch} begins a second time`);
    owners.set(epoch, to);
  }

  return {
    tables,
    get acknowledged() {
      return acknowledged;
    },
    get reads() {
      return reads;
    },
    get lastTurn() {
      return lastTurn;
    },
    ask: (request) => ({ request, floor: told }),
    arrived: (id) => `${id}#${++arrivals}`,
    answered({ process, epoch }, { request, floor }, { n, id }) {
      const what = request.kind === 'read' ? `a read of ${n} operations` : `operation ${request.id} as number ${n}`;
      const speaker = speakers.get(epoch) ?? process;
      speakers.set(epoch, speaker);
      if (speaker !== process) world.broken(`${process} answered ${what} in epoch ${epoch}, as did ${speaker}`);
      if (n >= ids.length || (n > 0 && ids[n] !== id))
        world.broken(
          `${process} answered ${what} (the last is ${id}), but the journal has ${ids.length - 1} and there ${ids[n] ?? 'none'}`,
        );
      if (request.kind === 'read' && n < floor)
        world.broken(
          `${process} answered ${what} in epoch ${epoch}, but ${floor} had been told of before it was asked`,
        );
      told = Math.max(told, n);
      if (request.kind === 'read') reads++;
      else acknowledged++;
    },
    opened(process, epoch, content) {
      if (epoch === tables.partition.epoch && content !== contentOf(db))
        world.broken(`${process} begins epoch ${epoch} with ${content}, but the journal has ${contentOf(db)}`);
    },
    get content() {
      return contentOf(db);
    },
  };
}
