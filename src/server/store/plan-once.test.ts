import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { planOnce } from './plan-once.ts';

it('changes neither what a query finds nor how', () => {
  const db = new Database(':memory:');
  db.exec(
    "CREATE TABLE task (seq INTEGER PRIMARY KEY, job INTEGER, state TEXT) STRICT; CREATE INDEX task_open ON task (state, job) WHERE state <> 'COMPLETED'",
  );
  for (let i = 1; i <= 50; i++)
    db.prepare('INSERT INTO task VALUES (?, ?, ?)').run(i, i % 5, ['READY', 'FAILED', 'COMPLETED'][i % 3]);
  const sql =
    "SELECT seq FROM task WHERE state = ? AND state <> 'COMPLETED' AND job = ? AND seq > ? ORDER BY seq LIMIT ?";
  const plan = (text: string) =>
    db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
      .all('READY', 3, 0, 5)
      .map(({ detail }) => detail);
  expect(plan(planOnce(sql))).toEqual(plan(sql));
  expect(plan(sql)).toEqual(['SEARCH task USING COVERING INDEX task_open (state=? AND job=? AND rowid>?)']);
  for (const args of [
    ['READY', 3, 0, 5],
    ['FAILED', 1, 20, 2],
    ['COMPLETED', 1, 0, 9],
    [null, 1, 0, 9],
  ])
    expect(db.prepare(planOnce(sql)).all(...args)).toEqual(db.prepare(sql).all(...args));
  db.close();
});
