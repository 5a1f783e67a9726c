import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { AuditEntry } from '../../contract/access.ts';
import { auditHash, hashedEntry } from '../../lib/audit-hash.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { fakeMaster } from '../process-io.fake.ts';

let log: AuditEntry[];
let fault: object | null;
let file: string;
const master = fakeMaster(({ path }) => {
  if (path.includes('/verify'))
    return {
      ok: fault === null,
      chains: [
        { chain: 'changes', entries: 3, anchor: { number: 0, hash: '' }, head: { number: 3, hash: 'h3' }, fault },
      ],
    };
  const number = Number(/number=(-?\d+)/.exec(path)?.[1]);
  const items = log.filter((entry) => Number.isNaN(number) || entry.number === number);
  return { items, page: 0, size: 20, totalItems: items.length, totalPages: 1 };
});
const verify = async (...more: string[]) => {
  const { code, out, err } = await master.yardmaster(['audit', 'verify', '--json', ...more]);
  return { code, said: out === '' ? null : JSON.parse(out), err };
};
const save = (entries: readonly AuditEntry[]) =>
  writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));

beforeEach(() => {
  fault = null;
  file = join(temporaryFolder('audit'), 'audit.jsonl');
  let before: string | null = '';
  log = [1, 2, 3].map((number) => {
    const entry: AuditEntry = {
      ...{ id: `id-${number}`, at: '2026-01-01T00:00:00.000Z', actor: 'Ann', role: 'admin', address: null },
      ...{ action: 'token.create', target: 'token:1', before: null, after: { number }, number, hash: null },
    };
    before = auditHash(before, hashedEntry(entry));
    return { ...entry, hash: before };
  });
});

it('lists entries', async () => {
  const { code, out } = await master.yardmaster(['audit', 'list', '--actor', 'Ann']);
  expect([code, out.split('\n').filter((line) => line.includes('token.create')).length]).toEqual([0, 3]);
});

it('says that the log fits, and fails where it does not', async () => {
  expect(await verify()).toMatchObject({ code: 0, said: { ok: true } });
  fault = { number: 2, id: 'id-2', reason: 'its hash does not fit' };
  const broken = await verify();
  expect([broken.code, JSON.parse(broken.err)]).toMatchObject([1, { code: 'AUDIT_BROKEN' }]);
  expect(broken.err).toContain('changes 2: its hash does not fit');
});

it('checks an exported file, and whether the log has its end still', async () => {
  save(log.slice(1));
  expect(await verify('--file', file)).toMatchObject({ code: 0, said: { ok: true, file: { entries: 2, faults: [] } } });
  // One that was exported twice, as it was brought up to date, is no fault.
  save([...log.slice(0, 2), log[1] as AuditEntry, log[2] as AuditEntry]);
  expect((await verify('--file', file)).code).toBe(0);
  save(log.map((entry) => (entry.number === 2 ? { ...entry, actor: 'Bob' } : entry)));
  expect((await verify('--file', file)).err).toContain('the hash of entry 2 does not fit');
  // All hashes made anew after a change: the file tells.
  save(log);
  log = log.map((entry) => ({ ...entry, hash: 'anew' }));
  expect((await verify('--file', file)).err).toContain('entry 3 is another one in the log');
});

it('says which line of a file is none', async () => {
  writeFileSync(file, `${JSON.stringify(log[0])}\nno json\n`);
  const { code, err } = await verify('--file', file);
  expect(code).toBe(2);
  expect(err).toContain('line 2 is no JSON');
});
