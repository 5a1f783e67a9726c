import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate, migrations } from './migrate.ts';
import schema from './schema.sql?raw';

/** A database as the statements that make it: what was made first comes first, then the rows that it has from the start. */
function written(db: Database.Database, list = migrations): string {
  const made = db
    .prepare<[], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
    )
    .all();
  const rows = made
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      db
        .prepare<[], Record<string, string | number | null>>(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => {
          const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : value));
          return `INSERT INTO ${name} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`;
        }),
    );
  const version = `PRAGMA user_version = ${list.at(-1)?.number}`;
  return [...made.map(({ sql }) => sql), ...rows, version].map((statement) => `${statement};\n`).join('\n');
}

const HEAD =
  '-- What the migrations come to: the schema of a new database. Written by `npx vitest run migrate -u`, never by hand.\n\n';

it('has in schema.sql what all migrations come to', async () => {
  const db = new Database(':memory:');
  for (const { sql } of migrations) db.exec(sql);
  await expect(HEAD + written(db)).toMatchFileSnapshot('schema.sql');
});

it('makes a new database of it', () => {
  const db = new Database(':memory:');
  migrate(db, 'new.db');
  expect(HEAD + written(db)).toBe(schema);
});

it('runs the migrations on a new database that its schema.sql lacks', () => {
  const [older, db] = [new Database(':memory:'), new Database(':memory:')];
  const before = migrations.slice(0, -2);
  for (const { sql } of before) older.exec(sql);
  migrate(db, 'new.db', written(older, before));
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.at(-1)?.number);
  expect(HEAD + written(db)).toBe(schema);
});
