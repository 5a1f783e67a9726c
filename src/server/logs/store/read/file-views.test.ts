import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logFiles, quarantineFile } from '../files/schema.ts';
import { batch, emptyFolder, recordsOf, writerOf } from '../store.fixture.ts';
import { recordWriter } from './records.ts';
import { openSource, type Snapshot, type Source } from './source.ts';

const TODAY = Date.UTC(2026, 0, 1);
const write = (folder: string, messages: readonly string[], now = TODAY): void => {
  const writer = writerOf(folder, { now: () => now });
  for (const message of messages) writer.insert([batch([{ _time: now, _msg: message }])]);
  writer.close();
};
const newestOf = (folder: string): string => logFiles(folder).at(-1) ?? '';
const messagesOf = (snapshot: Snapshot): unknown[] => recordsOf(snapshot).map((record) => record['_msg']);
const messages = (source: Source): unknown[] => messagesOf(source.snapshot());

describe('the newest file is set aside while readers are open, and its name and the numbers of its blocks are given again', () => {
  it('reads what is in the new one, and nothing that was known of the old one', () => {
    const folder = emptyFolder();
    write(folder, ['ananas', 'banana']);
    const source = openSource(folder, 1e6, () => {});
    expect(messages(source)).toEqual(['ananas', 'banana']);
    const name = newestOf(folder);
    quarantineFile(folder, name);
    write(folder, ['cherry', 'ananas']);
    expect(newestOf(folder)).toBe(name);
    expect(messages(source)).toEqual(['cherry', 'ananas']);
    source.close();
  });

  it('holds for another name too', () => {
    const folder = emptyFolder();
    write(folder, ['ananas']);
    const source = openSource(folder, 1e6, () => {});
    expect(messages(source)).toEqual(['ananas']);
    quarantineFile(folder, newestOf(folder));
    write(folder, ['cherry'], TODAY + 86_400_000);
    expect(messages(source)).toEqual(['cherry']);
    source.close();
  });

  it('goes on with the old one where a query has begun with it, and mixes nothing up between the two', () => {
    const folder = emptyFolder();
    write(folder, ['ananas', 'banana']);
    const source = openSource(folder, 1e6, () => {});
    const begun = source.snapshot();
    const blocks = [...begun.blocks({ from: null, to: null, equal: [], words: [] }, 'asc')];
    quarantineFile(folder, newestOf(folder));
    write(folder, ['cherry', 'date']);
    source.snapshot().release();
    // Of blocks that were opened before, columns are read now.
    expect(blocks.map((block) => JSON.parse(recordWriter(block)(0)) as unknown)).toMatchObject([
      { _msg: 'ananas' },
      { _msg: 'banana' },
    ]);
    expect(messagesOf(begun)).toEqual(['ananas', 'banana']);
    expect(messages(source)).toEqual(['cherry', 'date']);
    source.close();
  });
});

it('looks further back where the newest files are all set aside', () => {
  const folder = emptyFolder();
  const later = TODAY + 30 * 86_400_000;
  write(folder, ['ananas']);
  write(folder, ['banana'], later);
  const source = openSource(folder, 1e6, () => {});
  expect(messages(source)).toEqual(['ananas', 'banana']);
  const names = logFiles(folder);
  for (const name of names) quarantineFile(folder, name);
  write(folder, ['cherry']);
  write(folder, ['date'], later);
  expect(logFiles(folder)).toEqual(names);
  expect(messages(source)).toEqual(['cherry', 'date']);
  source.close();
});

it('takes no part in a query over a file that another thread has open and that is gone', () => {
  const folder = emptyFolder();
  write(folder, ['ananas', 'banana']);
  const [owner, helper] = [openSource(folder, 1e6, () => {}), openSource(folder, 1e6, () => {})];
  const begun = owner.snapshot();
  begun.blocks({ from: null, to: null, equal: [], words: [] }, 'asc');
  quarantineFile(folder, newestOf(folder));
  write(folder, ['cherry', 'date']);
  const shared = begun.share({ wanted: 'rows', began: 0 });
  expect(shared).not.toBeNull();
  expect(shared && helper.shared(shared)).toBeNull();
  begun.release();
  owner.close();
  helper.close();
});

it('lets go of files that are removed', () => {
  const folder = emptyFolder();
  write(folder, ['ananas']);
  const first = newestOf(folder);
  write(folder, ['cherry'], TODAY + 30 * 86_400_000);
  const source = openSource(folder, 1e6, () => {});
  expect(messages(source)).toEqual(['ananas', 'cherry']);
  for (const name of readdirSync(folder)) if (name.startsWith(first)) rmSync(join(folder, name));
  expect(messages(source)).toEqual(['cherry']);
  source.close();
});
