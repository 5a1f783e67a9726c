import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { handle } from '../../store/sqlite/handle.ts';
import { createTurnRecorder, POSITION_TABLE } from './turn-recorder.ts';

it('numbers turns without a hole, also after one that could not be committed', () => {
  const db = new Database(':memory:');
  db.exec(POSITION_TABLE);
  const numbers: number[] = [];
  const recorder = createTurnRecorder(3, { epoch: 2, turn: 40, schema: 1 }, ({ number }) => numbers.push(number));
  recorder.opened(handle(db), 1);
  const write = (commits: boolean): void => {
    recorder.begin();
    recorder.ran('DELETE FROM x', []);
    recorder.sealed();
    if (commits) recorder.committed();
  };
  write(true);
  write(false);
  write(false);
  write(true);
  expect(numbers).toEqual([41, 42, 43]);
  expect(db.prepare('SELECT epoch, turn FROM journal_position').raw().get()).toEqual([3, 43]);
});
