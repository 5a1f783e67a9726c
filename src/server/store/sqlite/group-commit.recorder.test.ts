import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { TurnRecorder } from '../port.ts';
import { groupCommit } from './group-commit.ts';
import { handle } from './handle.ts';

function recorded() {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE t (n INTEGER UNIQUE) STRICT');
  let heard: string[] = [];
  const turns: string[][] = [];
  const recorder: TurnRecorder = {
    begin: () => void (heard = []),
    ran: (sql, args) => void heard.push(`${sql.split(' ', 1)[0]} ${args.join()}`),
    sealed: () => {},
    committed: () => void turns.push(heard),
  };
  const group = groupCommit(db, handle(db, recorder), null, { noted: () => {}, forGood: () => {} }, recorder);
  const insert = (n: number) => group.write((h) => h.statement('INSERT INTO t VALUES (?)').run(n));
  return { db, group, insert, turns };
}

it('tells of what each transaction wrote, in order', async () => {
  const { group, insert, turns } = recorded();
  await Promise.all([insert(1), insert(2)]);
  await group.write((h) => h.statement('DELETE FROM t WHERE n = ?').run(1));
  expect(turns).toEqual([['INSERT 1', 'INSERT 2'], ['DELETE 1']]);
});

it('leaves out what changed nothing and what was rolled back', async () => {
  const { group, insert, turns } = recorded();
  await insert(1);
  await group.write((h) => h.statement('DELETE FROM t WHERE n = ?').run(7));
  // One of these breaks the transaction that they share; the others run again without it.
  const ended = await Promise.allSettled([insert(2), insert(1), insert(3)]);
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(turns).toEqual([['INSERT 1'], [], ['INSERT 2'], ['INSERT 3']]);
});
