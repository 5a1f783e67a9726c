import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { handle } from '../../store/sqlite/handle.ts';
import { createTableChecks, holdsSame, type TableCheck } from './table-check.ts';

type Row = [a: string, b: number, value: string | null];

function open(rows: readonly Row[]): Database.Database {
  const db = new Database(':memory:');
  db.exec(
    'CREATE TABLE pair (a TEXT NOT NULL, b INTEGER NOT NULL, value TEXT, PRIMARY KEY (a, b)) STRICT; CREATE TABLE one (id INTEGER PRIMARY KEY, value BLOB) STRICT; CREATE TABLE without (value TEXT) STRICT',
  );
  const put = db.prepare('INSERT OR REPLACE INTO pair VALUES (?, ?, ?)');
  for (const row of rows) put.run(...row);
  db.exec("INSERT INTO one (value) VALUES (x'00ff'), (NULL); INSERT INTO without VALUES ('x')");
  return db;
}

/** Once through each table. */
function round(db: Database.Database) {
  const next = createTableChecks(handle(db));
  const checks: TableCheck[] = [];
  const left = new Set(['pair', 'one']);
  while (left.size > 0)
    for (const check of next()) {
      if (left.has(check.table)) checks.push(check);
      if (check.isEnd) left.delete(check.table);
    }
  return checks;
}

const key = fc.tuple(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 200 }));
const rows = fc.array(
  fc.tuple(key, fc.option(fc.string())).map(([[a, b], value]): Row => [a, b, value]),
  { maxLength: 400 },
);

it('goes round all rows, and finds the same in a copy', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const db = open(given);
      const checks = round(db);
      const all = db.prepare<[], number>('SELECT (SELECT count(*) FROM pair) + 2').pluck().get();
      expect(checks.reduce((sum, check) => sum + check.rows, 0)).toBe(all);
      const copy = new Database(db.serialize());
      for (const check of checks) expect(holdsSame(handle(copy), check)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it('finds every row that is another, is missing, or is one too many', () => {
  const given = Array.from({ length: 350 }, (_, i): Row => [String(i % 7), i, `v${i}`]);
  const checks = round(open(given));
  const isFound = (harm: string): boolean => {
    const copy = open(given);
    expect(copy.prepare(harm).run().changes).toBeGreaterThan(0);
    return checks.some((check) => !holdsSame(handle(copy), check));
  };
  fc.assert(
    fc.property(fc.nat({ max: 349 }), (i) => {
      expect(isFound(`UPDATE pair SET value = 'other' WHERE b = ${i}`)).toBe(true);
      expect(isFound(`DELETE FROM pair WHERE b = ${i}`)).toBe(true);
      expect(isFound(`INSERT INTO pair VALUES ('${i % 9}', ${i + 1000}, NULL)`)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it('reaches every table, though another grows faster than it is gone through', () => {
  const db = open(Array.from({ length: 300 }, (_, i): Row => ['a', i, null]));
  db.exec('CREATE TABLE zone (id INTEGER PRIMARY KEY)');
  const next = createTableChecks(handle(db));
  const put = db.prepare('INSERT INTO pair VALUES (?, ?, NULL)');
  const seen = new Set<string>();
  for (let i = 0; i < 10; i++) {
    for (let k = 0; k < 200; k++) put.run('b', i * 1000 + k);
    for (const { table } of next()) seen.add(table);
  }
  expect([...seen].toSorted()).toEqual(['one', 'pair', 'zone']);
});
