import type Database from 'better-sqlite3';
import { Fault } from '../../../lib/fault.ts';
import { decodeEntry, type JournalTurn } from '../journal/entry-codec.ts';
import { handle } from '../../store/sqlite/handle.ts';
import type { Position } from '../journal/port.ts';
import { holdsSame, type TableCheck } from '../journal/table-check.ts';
import { hashStatement, POSITION_TABLE, PUT_POSITION } from '../journal/turn-recorder.ts';

export interface ReplicaPosition extends Position {
  readonly schema: number;
}

export interface Migration {
  readonly number: number;
  readonly sql: string;
}

/** An entry of the journal as a working copy takes it. */
export interface AppliedEntry {
  readonly epoch: number;
  readonly body: Uint8Array;
}

export interface TurnsApplier {
  /** Null: it has taken none yet, or its schema is not the one that its turns led to, as where a migration was cut off. */
  readonly position: ReplicaPosition | null;
  /** Gives the hashes of statements among these entries that have no text here. */
  unknownStatements(entries: readonly Uint8Array[]): string[];
  /** Applies what follows the position, each entry in one transaction; turns that are there already are left out. A gap is an error. */
  apply(entries: readonly AppliedEntry[]): ReplicaPosition | null;
  /** It is not held against the owner's any more: it was made of the journal alone. */
  trust(): void;
}

/** What the owner's transactions record. Others could name files of this machine (ATTACH, VACUUM INTO). */
const CHANGES_ROWS = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|WITH)\b/i;

/** Begins what is said where a copy is not what the owner's is. */
const DIVERGED = 'the working copy differs from the owner';
const diverged = (turn: number, how: string): Fault =>
  new Fault('STORE_CORRUPT', `${DIVERGED}'s at turn ${turn}: ${how}`);
export const isDiverged = (error: unknown): boolean => error instanceof Fault && error.message.startsWith(DIVERGED);

/**
 * Brings the turns of the journal into a database that nothing else writes to.
 *
 * @param texts the statements by their hashes, which stay known when the database is opened anew
 * @param entryBytes how large an entry may be before compression (journalUnpackedBytes)
 * @param migrating called before the tables are changed, in the transaction that does it
 */
export function applyTurns(
  db: Database.Database,
  migrations: readonly Migration[],
  texts: ReadonlyMap<string, string>,
  migrating: () => void = () => {},
  entryBytes?: number,
): TurnsApplier {
  db.exec(POSITION_TABLE);
  const read = handle(db);
  let isTrusted = false;
  const putPosition = db.prepare(PUT_POSITION);
  let statements = new Map<string, Database.Statement<unknown[]>>();
  let schemaNow = schemaOf();
  let current = readPosition();

  function schemaOf(): number {
    return Number(db.pragma('user_version', { simple: true }));
  }

  function readPosition(): ReplicaPosition | null {
    const row = db.prepare<[], ReplicaPosition>('SELECT epoch, turn, schema FROM journal_position').get();
    return row && row.schema === schemaOf() ? row : null;
  }

  function migrateTo(schema: number): void {
    const newest = migrations.at(-1)?.number ?? 0;
    if (schema > newest)
      throw new Fault(
        'SCHEMA_UNKNOWN',
        `the owner works with schema ${schema}, this Yardmaster knows schemas up to ${newest}: upgrade this master`,
      );
    const from = schemaNow;
    if (schema > from) migrating();
    for (const { number, sql } of migrations) if (number > from && number <= schema) db.exec(sql);
    if (schema <= from) return;
    db.pragma(`user_version = ${schema}`);
    schemaNow = schema;
    statements = new Map();
  }

  function statementOf(hash: string): Database.Statement<unknown[]> {
    let statement = statements.get(hash);
    if (!statement) {
      const text = texts.get(hash);
      if (text === undefined) throw new Error(`the journal names no statement ${hash}`);
      if (hashStatement(text) !== hash)
        throw new Fault('STORE_CORRUPT', `the statement ${hash} of the journal is not the one that it names`);
      if (!CHANGES_ROWS.test(text))
        throw new Fault(
          'STORE_CORRUPT',
          `the journal has a statement that changes no rows: ${JSON.stringify(text.slice(0, 60))}`,
        );
      statement = db.prepare<unknown[]>(text);
      statements.set(hash, statement);
    }
    return statement;
  }

  function applyTurn({ number, operations }: JournalTurn, epoch: number): void {
    const checks: TableCheck[] = [];
    for (const operation of operations) {
      if ('schema' in operation) migrateTo(operation.schema);
      else if ('check' in operation) checks.push(operation.check);
      else if (statementOf(operation.hash).run(...operation.args).changes === 0 && !isTrusted)
        throw diverged(number, 'a change of the owner changes nothing here');
    }
    for (const check of isTrusted ? [] : checks)
      if (!holdsSame(read, check)) throw diverged(number, `rows of the table ${check.table} are others`);
    putPosition.run(epoch, number, schemaNow);
    current = { epoch, turn: number, schema: schemaNow };
  }

  const applyEntry = db.transaction((turns: readonly JournalTurn[], epoch: number) => {
    for (const turn of turns) {
      const at = current?.turn ?? 0;
      if (turn.number <= at) continue;
      if (turn.number !== at + 1) throw new Error(`turn ${turn.number} follows on ${at}: turns between are missing`);
      applyTurn(turn, epoch);
    }
  });

  return {
    trust: () => void (isTrusted = true),
    get position() {
      return current;
    },
    unknownStatements(entries) {
      const hashes = new Set<string>();
      for (const entry of entries)
        for (const turn of decodeEntry(entry, entryBytes))
          for (const operation of turn.operations) if ('hash' in operation) hashes.add(operation.hash);
      return [...hashes].filter((hash) => !texts.has(hash));
    },
    apply(entries) {
      for (const { epoch, body } of entries) {
        try {
          applyEntry(decodeEntry(body, entryBytes), epoch);
        } catch (error) {
          schemaNow = schemaOf();
          current = readPosition();
          throw error;
        }
      }
      return current;
    },
  };
}
