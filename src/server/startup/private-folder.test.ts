import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../master.fixture.ts';
import { tightenFolder } from './private-folder.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);
const said: string[] = [];
const log = (line: string) => void said.push(line);

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it('that others can read is theirs no longer once a master starts on it', async () => {
    const data = join(temporaryFolder('open'), 'data');
    mkdirSync(data);
    chmodSync(data, 0o755);
    const master = await openMaster({ data, log });
    try {
      expect(modeOf(data)).toBe('700');
      expect(said.splice(0).join('\n')).toContain('was open to other users of this machine (mode 0755)');
    } finally {
      await master.close();
    }
  });

  it('that is private is left as it is, without a word', () => {
    const data = temporaryFolder('private');
    chmodSync(data, 0o700);
    tightenFolder(data, log);
    expect([modeOf(data), said]).toEqual(['700', []]);
  });

  it('that everyone shares is refused, for it is not the master’s to take', () => {
    const data = temporaryFolder('shared');
    chmodSync(data, 0o1777);
    expect(() => tightenFolder(data, log)).toThrow(/everyone shares \(mode 1777\): set a folder in it/);
    expect(modeOf(data)).toBe('1777');
  });

  it('keeps its files and its special bits', () => {
    const data = temporaryFolder('group');
    writeFileSync(join(data, 'yardmaster.db'), '');
    chmodSync(data, 0o2775);
    tightenFolder(data, log);
    expect(modeOf(data)).toBe('2700');
  });
});
