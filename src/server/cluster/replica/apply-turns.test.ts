import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { ByteWriter } from '../../../lib/bytes.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { encodeEntry, writeOperation } from '../journal/entry-codec.ts';
import { hashStatement } from '../journal/turn-recorder.ts';
import { applyTurns } from './apply-turns.ts';

/** A journal of one turn with one statement, and a working copy to take it. */
async function taken(text: string, args: readonly (string | number)[] = []) {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE op (id TEXT PRIMARY KEY)');
  const hash = hashStatement(text);
  const turn = new ByteWriter(64);
  writeOperation(turn, 1, args);
  const body = await encodeEntry([{ number: 1, hash }], 1, [turn.done()]);
  const turns = applyTurns(db, [], new Map([[hash, text]]));
  return { db, apply: () => turns.apply([{ epoch: 1, body }]) };
}

it('takes what changes rows', async () => {
  const { db, apply } = await taken('INSERT INTO op VALUES (?)', ['a']);
  expect(apply()).toMatchObject({ turn: 1 });
  expect(db.prepare('SELECT id FROM op').pluck().all()).toEqual(['a']);
});

it.each(['ATTACH DATABASE ? AS planted', 'VACUUM INTO ?', '/* INSERT */ ATTACH DATABASE ? AS planted'])(
  'refuses what does not, whoever wrote it into the journal: %s',
  async (text) => {
    const file = join(temporaryFolder('planted'), 'planted.db');
    const { apply } = await taken(text, [file]);
    expect(apply).toThrow('changes no rows');
    expect(existsSync(file)).toBe(false);
  },
);
