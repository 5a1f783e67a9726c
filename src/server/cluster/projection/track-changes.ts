import type { ProjectionExtra } from '../../../contract/vocabulary.ts';
import type Database from 'better-sqlite3';
import { ATTEMPTS_FROM, attemptsOf, type TaskOfAttempts } from './attempts.ts';
import { ATTEMPT_TABLE, PROJECTED_TABLES, projectedRow, type ProjectedRows } from './tables.ts';

/** What a copy tells of changes that the projection lacks. */
export interface TrackedChanges {
  readonly tables: readonly ProjectedRows[];
  /** Names these changes to `written`. */
  readonly upTo: number;
  /** The projection holds every turn up to this one once they are written; 0: it lacks more than single turns. */
  readonly turn: number;
  readonly isLast: boolean;
}

/** From where on a copy knows what changed. */
export interface Tracked {
  /** Every change after this turn is known. */
  readonly since: number;
  /** The whole that was last begun from this copy. */
  readonly build: string;
}

export interface ChangeTracker {
  /** Null: there is nothing in the copy. */
  tracked(): Tracked | null;
  /** The next rows, as they are now, at most so many, in the order in which they first changed. */
  changes(most: number, extras: readonly ProjectionExtra[]): TrackedChanges;
  written(upTo: number): void;
  /** All rows count as changed. */
  markAll(build: string): void;
  /** The tables are about to be changed: what is known of changes is worth nothing any more. */
  migrating(): void;
  /** Goes on after the tables were changed. */
  resume(): void;
}

const TABLES = `
CREATE TABLE IF NOT EXISTS projection_change (
  number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, key ANY NOT NULL, after_turn INTEGER NOT NULL, UNIQUE (kind, key)
) STRICT;
CREATE TABLE IF NOT EXISTS projection_tracked (
  id INTEGER PRIMARY KEY CHECK (id = 0), since INTEGER NOT NULL, schema INTEGER NOT NULL, build TEXT NOT NULL
) STRICT;
`;

interface Change {
  number: number;
  kind: number;
  key: string | number;
}

/**
 * Notes in a working copy that follows the journal for the projection alone which rows its turns change: triggers write the
 * row's key in the transaction of the turn, so that nothing is lost by whatever ends the process. Rows are read when they are
 * written to PostgreSQL; what changed often meanwhile is written once.
 */
export function trackChanges(db: Database.Database): ChangeTracker {
  db.exec(TABLES);
  // What an INSERT OR REPLACE replaces is a row that is deleted.
  db.pragma('recursive_triggers = ON');
  const position = () =>
    db.prepare<[], { turn: number; schema: number }>('SELECT turn, schema FROM journal_position').get();
  const next = db.prepare<[number], Change>('SELECT number, kind, key FROM projection_change ORDER BY number LIMIT ?');
  const after = db.prepare<[number], { after_turn: number }>(
    'SELECT after_turn FROM projection_change WHERE number > ? ORDER BY number LIMIT 1',
  );
  const forget = db.prepare('DELETE FROM projection_change WHERE number <= ?');
  const readTracked = db.prepare<[], Tracked & { schema: number }>(
    'SELECT since, schema, build FROM projection_tracked',
  );

  const triggerNames = PROJECTED_TABLES.flatMap(({ name }) =>
    ['insert', 'update', 'delete'].map((what) => `projection_${name}_${what}`),
  );
  const dropTriggers = (): void => {
    for (const name of triggerNames) db.exec(`DROP TRIGGER IF EXISTS temp.${name}`);
  };

  function createTriggers(): void {
    dropTriggers();
    for (const [kind, { name, key }] of PROJECTED_TABLES.entries()) {
      // NOT EXISTS: a conflict clause would be that of the statement that fires the trigger.
      const mark = (row: string) =>
        `INSERT INTO projection_change (kind, key, after_turn) SELECT ${kind}, ${row}.${key}, (SELECT turn FROM journal_position) WHERE NOT EXISTS (SELECT 1 FROM projection_change WHERE kind = ${kind} AND key = ${row}.${key});`;
      const trigger = (what: string, body: string) =>
        db.exec(
          `CREATE TEMP TRIGGER projection_${name}_${what} AFTER ${what.toUpperCase()} ON main.${name} BEGIN ${body} END`,
        );
      trigger('insert', mark('NEW'));
      trigger('update', mark('NEW'));
      trigger('delete', mark('OLD'));
    }
  }

  const hasTables = (): boolean => {
    const there = new Set(
      db
        .prepare<[], { name: string }>("SELECT name FROM main.sqlite_schema WHERE type = 'table'")
        .all()
        .map(({ name }) => name),
    );
    return PROJECTED_TABLES.every(({ name }) => there.has(name));
  };

  const begin = db.transaction(() => {
    const at = position();
    const known = readTracked.get();
    // Of an owner of an older version, whose tables are others.
    if (!at || !hasTables()) return;
    createTriggers();
    if (known?.schema === at.schema) return;
    db.exec('DELETE FROM projection_change');
    db.prepare('INSERT OR REPLACE INTO projection_tracked (id, since, schema, build) VALUES (0, ?, ?, ?)').run(
      at.turn,
      at.schema,
      '',
    );
  });

  function rowsOf(kind: number, keys: (string | number)[], extras: readonly ProjectionExtra[]): ProjectedRows {
    const table = PROJECTED_TABLES[kind]!;
    const names = table.columns.map(({ name }) => name).join(', ');
    const rows = db
      .prepare<[string], Record<string, unknown>>(
        `SELECT ${names} FROM ${table.name} WHERE ${table.key} IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(keys));
    const found = new Set(rows.map((row) => row[table.key]));
    return {
      table: table.name,
      rows: JSON.stringify(rows.map((row) => projectedRow(table, row, extras))),
      gone: JSON.stringify(keys.filter((key) => !found.has(key))),
    };
  }

  /** All attempts of these tasks, as nothing else. */
  function attemptRows(keys: (string | number)[], extras: readonly ProjectionExtra[]): ProjectedRows {
    const gone = JSON.stringify(keys);
    const tasks = readTasks().all(gone);
    return {
      table: ATTEMPT_TABLE.name,
      rows: JSON.stringify(tasks.flatMap(attemptsOf).map((row) => projectedRow(ATTEMPT_TABLE, row, extras))),
      gone,
    };
  }
  const readTasks = () =>
    db.prepare<[string], TaskOfAttempts>(
      `SELECT ${ATTEMPTS_FROM.join(', ')} FROM task WHERE seq IN (SELECT value FROM json_each(?))`,
    );

  begin();
  return {
    tracked: () => readTracked.get() ?? null,
    changes(most, extras) {
      const found = next.all(most);
      const upTo = found.at(-1)?.number ?? 0;
      const left = after.get(upTo);
      const kinds = Map.groupBy(found, ({ kind }) => kind);
      return {
        tables: [...kinds].flatMap(([kind, changes]) => {
          const keys = changes.map(({ key }) => key);
          const rows = rowsOf(kind, keys, extras);
          return rows.table === 'task' ? [rows, attemptRows(keys, extras)] : [rows];
        }),
        upTo,
        turn: left ? left.after_turn : (position()?.turn ?? 0),
        isLast: !left,
      };
    },
    written: (upTo) => void forget.run(upTo),
    markAll: db.transaction((build: string) => {
      db.exec('DELETE FROM projection_change');
      for (const [kind, { name, key }] of PROJECTED_TABLES.entries())
        db.exec(
          `INSERT INTO projection_change (kind, key, after_turn) SELECT ${kind}, ${key}, 0 FROM ${name} ORDER BY ${key}`,
        );
      db.prepare('UPDATE projection_tracked SET build = ?').run(build);
    }),
    migrating() {
      dropTriggers();
      db.exec('DELETE FROM projection_tracked');
    },
    resume() {
      if (!readTracked.get()) begin();
    },
  };
}
