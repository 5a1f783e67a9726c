import { createHash } from 'node:crypto';
import { ByteWriter } from '../../../lib/bytes.ts';
import type { TurnRecorder, Value, WriteHandle } from '../../store/port.ts';
import { MIGRATION, writeCheck, writeOperation, type NumberedHash } from './entry-codec.ts';
import type { NamedStatement, Position } from './port.ts';
import { createTableChecks, type TableCheck } from './table-check.ts';

/** A transaction that wrote something, as the journal takes it. */
export interface RecordedTurn {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly statements: readonly NumberedStatement[];
}
export type NumberedStatement = NumberedHash & NamedStatement;

/** The row of the working copy that says which turns it holds; written in the transaction of each turn. */
export const POSITION_TABLE =
  'CREATE TABLE IF NOT EXISTS journal_position (id INTEGER PRIMARY KEY CHECK (id = 0), epoch INTEGER NOT NULL, turn INTEGER NOT NULL, schema INTEGER NOT NULL) STRICT';
export const PUT_POSITION = 'INSERT OR REPLACE INTO journal_position (id, epoch, turn, schema) VALUES (0, ?, ?, ?)';

/** One turn of so many carries checks of parts of tables. */
const CHECK_TURNS = 256;

export const hashStatement = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * Records what the owner's transactions write, numbers them after those of the journal, and hands each to `turn` as soon
 * as it is committed. The first turn of an epoch is the migration to the schema that the owner works with: it is handed
 * over when the store is open, so that whoever applies the journal has that schema too.
 */
export function createTurnRecorder(
  epoch: number,
  from: Position & { readonly schema: number },
  turn: (recorded: RecordedTurn) => void,
  checkTurns = CHECK_TURNS,
): TurnRecorder & { opened(db: WriteHandle, schema: number): void } {
  const statements = new Map<string, NumberedStatement>();
  const writer = new ByteWriter(16 * 1024);
  const used = new Set<NumberedStatement>();
  let committed = from.turn;
  /** Of the turn that is being written. */
  let number = committed;
  let writePosition: (() => void) | null = null;
  let nextChecks: (() => TableCheck[]) | null = null;

  function numbered(text: string): NumberedStatement {
    let known = statements.get(text);
    if (known === undefined) {
      known = { number: MIGRATION + 1 + statements.size, hash: hashStatement(text), text };
      statements.set(text, known);
    }
    return known;
  }

  function handOver(): void {
    committed = number;
    turn({ number, bytes: writer.done(), statements: [...used] });
  }

  return {
    opened(db, schema) {
      const put = db.statement(PUT_POSITION);
      nextChecks = createTableChecks(db);
      writePosition = () => void put.run(epoch, number, schema);
      // An epoch begins with a turn of its own even where the schema is the same: from then on the working copy is the journal's.
      number = committed + 1;
      writePosition();
      writer.at = 0;
      writeOperation(writer, MIGRATION, [schema]);
      handOver();
      writer.at = 0;
    },
    begin() {
      writer.at = 0;
      used.clear();
    },
    ran(sql: string, args: readonly Value[]) {
      const statement = numbered(sql);
      used.add(statement);
      writeOperation(writer, statement.number, args);
    },
    sealed() {
      if (writer.at === 0) return;
      // What was sealed before and then not committed has no number.
      number = committed + 1;
      writePosition?.();
      if (number % checkTurns === 0) for (const check of nextChecks?.() ?? []) writeCheck(writer, check);
    },
    committed() {
      if (writer.at > 0) handOver();
      writer.at = 0;
    },
  };
}
