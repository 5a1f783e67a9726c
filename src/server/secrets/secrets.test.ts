import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import { createAudit } from '../access/audit.ts';
import type { Store } from '../store/port.ts';
import { putRow } from '../store/rows.ts';
import { ensureDatabase } from '../testing/empty-database.fixture.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Actor } from '../workflows/port.ts';
import { createSecrets, type SecretsDeps } from './secrets.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const admin: Actor = { name: 'admin', role: 'admin', address: null };
let folder: string;
let store: Store;
let said: string[];
let noted: unknown[];
beforeEach(async () => {
  folder = temporaryFolder('ym-secrets');
  await ensureDatabase(join(folder, 'yardmaster.db'));
  store = openSqlite({ file: join(folder, 'yardmaster.db'), durability: 'normal' });
  said = [];
  noted = [];
});
afterEach(() => store.close());

const keyFile = () => join(folder, 'secrets.key');
const open = (
  givenKeys: string | null = null,
  record: SecretsDeps['record'] = (_db, _actor, entry) => void noted.push(entry),
) =>
  createSecrets({
    store,
    clock: systemClock,
    limits: LIMITS,
    record,
    keyFile: keyFile(),
    givenKeys,
    log: (line) => void said.push(line),
  });
const names = async () =>
  (await (await open()).list({ page: 0, size: 20 })).items.map(({ name, readable }) => [name, readable]);

describe('a secret', () => {
  it('is given to leases, after a restart too, and to nobody else', async () => {
    await (await open()).put('API_TOKEN', { value: 'hunter-22', description: 'of the shop' }, admin);
    const again = await open();
    expect(again.lease(['API_TOKEN', 'OTHER'])).toEqual({
      API_TOKEN: { value: 'hunter-22' },
      OTHER: { missing: expect.stringContaining('secret OTHER not found') },
    });
    expect(JSON.stringify(await again.list({ page: 0, size: 20 }))).not.toContain('hunter');
    expect(again.redactor.text('token hunter-22')).toBe('token [secret API_TOKEN]');
  });

  it('lies encrypted, under a key that only its owner reads', async () => {
    await (await open()).put('API_TOKEN', { value: 'hunter-22' }, admin);
    await store.close();
    expect(readFileSync(join(folder, 'yardmaster.db')).includes('hunter')).toBe(false);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    store = openSqlite({ file: join(folder, 'yardmaster.db'), durability: 'normal' });
  });

  it('is audited without its value', async () => {
    const secrets = await open();
    await secrets.put('A', { value: 'hunter-22' }, admin);
    await secrets.put('A', { value: 'hunter-23' }, admin);
    await secrets.remove('A', admin);
    expect(noted.map((entry) => (entry as { action: string }).action)).toEqual([
      'secret.create',
      'secret.change',
      'secret.delete',
    ]);
    expect(JSON.stringify(noted)).not.toContain('hunter');
    await expect(secrets.remove('A', admin)).rejects.toMatchObject({ code: 'SECRET_NOT_FOUND' });
    expect(secrets.redactor.text('hunter-23')).toBe('hunter-23');
  });

  it('keeps its scope over a new value and a restart; a change of it is audited, and needs no value', async () => {
    const scope = { workflows: ['shop'], environments: ['prod' as const] };
    const secrets = await open();
    expect((await secrets.put('A', { value: 'hunter-22' }, admin)).scope).toEqual({ drafts: false });
    expect((await secrets.update('A', { scope }, admin)).scope).toEqual({ ...scope, drafts: false });
    expect((await secrets.put('A', { value: 'hunter-23' }, admin)).scope).toEqual({ ...scope, drafts: false });
    expect(noted.slice(1)).toMatchObject([
      { action: 'secret.change', before: { scope: { drafts: false } }, after: { scope: { workflows: ['shop'] } } },
      { action: 'secret.change', after: { scope: { workflows: ['shop'] } } },
    ]);
    const again = await open();
    await store.write((db) => putRow(db, 'workflow', { id: 'shop', name: 'Shop', created_at: 0, updated_at: 0 }));
    const run = { workflowId: 'shop', environment: 'dev', commit: 'c', kind: 'event' } as const;
    for (const opened of [secrets, again])
      expect(opened.refusal(store.read, ['A'], run)).toContain('only for environment prod');
    expect(again.lease(['A'])).toEqual({ A: { value: 'hunter-23' } });
    await expect(secrets.update('B', {}, admin)).rejects.toMatchObject({ code: 'SECRET_NOT_FOUND' });
    const changed = { environments: null, drafts: true };
    expect((await secrets.update('A', { scope: changed }, admin)).scope).toEqual({ workflows: ['shop'], drafts: true });
    expect(secrets.refusal(store.read, ['A'], run)).toBeNull();
  });

  it('serves workflows of its own project, drafts of them included', async () => {
    const secrets = await open();
    await store.write((db) => {
      for (const id of ['shop', 'bank']) {
        putRow(db, 'project', { id, name: id, created_at: 0, created_by: 'root' });
        putRow(db, 'workflow', { id: `${id}-flow`, name: id, created_at: 0, updated_at: 0, project: id });
      }
    });
    const refused = (one: typeof secrets, workflowId: string, kind: 'event' | 'draft' = 'event') =>
      one.refusal(store.read, ['A'], { workflowId, environment: 'dev', commit: 'c', kind });
    await expect(secrets.put('A', { value: 'hunter-22', project: 'gone' }, admin)).rejects.toMatchObject({
      code: 'PROJECT_NOT_FOUND',
    });
    const scope = { drafts: true };
    expect(await secrets.put('A', { value: 'hunter-22', scope, project: 'shop' }, admin)).toMatchObject({
      project: 'shop',
    });
    expect(await secrets.put('A', { value: 'hunter-23' }, admin)).toMatchObject({ project: 'shop' });
    for (const one of [secrets, await open()]) {
      expect([refused(one, 'shop-flow'), refused(one, 'shop-flow~draft', 'draft')]).toEqual([null, null]);
      expect(refused(one, 'bank-flow')).toBe(
        'secret A is not available: it belongs to another project than workflow bank-flow; use a secret of the same project, or let somebody who may manage both move it',
      );
      for (const id of ['bank-flow~draft', 'unknown']) expect(refused(one, id)).toContain('another project');
    }
    expect(await secrets.update('A', { project: 'bank' }, admin)).toMatchObject({ project: 'bank' });
    expect([refused(secrets, 'bank-flow'), refused(secrets, 'shop-flow')]).toEqual([
      null,
      expect.stringContaining('another project'),
    ]);
    expect(noted.at(-1)).toMatchObject({ before: { project: 'shop' }, after: { project: 'bank' } });
  });

  it('serves a version that was published once, and no other, whatever environment its job names', async () => {
    const secrets = await open();
    await secrets.put('A', { value: 'hunter-22' }, admin);
    await store.write((db) => {
      const put = (sql: string) => db.statement(sql).run();
      put(`INSERT INTO workflow (id, name, created_at, updated_at) VALUES ('shop', 'Shop', 1, 1)`);
      put(
        `INSERT INTO publication (id, workflow_id, environment, hash, published_at, published_by) VALUES ('p', 'shop', 'prod', 'c1', 1, 'ann')`,
      );
    });
    const ask = (commit: string, environment: 'prod' | 'dev') =>
      secrets.refusal(store.read, ['A'], { workflowId: 'shop', environment, commit, kind: 'batch' });
    expect([ask('c1', 'prod'), ask('c1', 'dev') === null, ask('c2', 'prod') === null]).toEqual([null, false, false]);
  });

  it('is audited when it is used, once a job, with whose definition it was', async () => {
    const { record } = createAudit({ store, clock: systemClock });
    const secrets = await open(null, record);
    await secrets.put('A', { value: 'hunter-22' }, admin);
    const use = {
      jobId: 'j1',
      node: 'n',
      names: ['A', 'UNKNOWN'],
      workflowId: 'shop~draft',
      environment: null,
      commit: 'c',
      kind: 'draft',
    } as const;
    await store.write((db) => {
      record(db, { ...admin, name: 'ann' }, { action: 'workflow.draftRun', target: 'job:j1', before: null, after: {} });
      secrets.recordUses(db, [use, use]);
    });
    await store.write((db) => secrets.recordUses(db, [use, { ...use, jobId: 'j2' }]));
    const { items } = await createAudit({ store, clock: systemClock }).list({ page: 0, size: 9, action: 'secret.use' });
    expect(items.reverse()).toMatchObject([
      {
        actor: 'yardmaster',
        target: 'secret:A',
        after: { jobId: 'j1', node: 'n', commit: 'c', kind: 'draft', author: 'ann', startedBy: 'ann' },
      },
      { target: 'secret:A', after: { jobId: 'j2', author: null, startedBy: null } },
    ]);
    expect(JSON.stringify(items)).not.toContain('hunter');
  });

  it('cannot be read under another name', async () => {
    const secrets = await open();
    await secrets.put('A', { value: 'hunter-22' }, admin);
    await store.write((db) => db.statement(`UPDATE secret SET name = 'B'`).run());
    expect((await open()).lease(['B'])).toEqual({ B: { missing: expect.stringContaining('cannot be decrypted') } });
  });
});

describe('the key', () => {
  it('that is gone locks the secrets, says so, and does not keep the master from starting', async () => {
    await (await open()).put('A', { value: 'hunter-22' }, admin);
    rmSync(keyFile());
    const secrets = await open();
    expect(said.join()).toMatch(/1 of 1 secrets cannot be decrypted: encryption key [0-9a-f]{16} is missing/);
    expect(secrets.lease(['A'])).toEqual({
      A: { missing: expect.stringContaining('does not have its encryption key') },
    });
    await secrets.put('B', { value: 'another' }, admin);
    expect(await names()).toEqual([
      ['A', false],
      ['B', true],
    ]);
  });

  it('that is none is told, and nothing can be set', async () => {
    writeFileSync(keyFile(), 'short\n');
    const secrets = await open();
    expect(secrets.keyProblem).toContain('each key must have 32 bytes');
    await expect(secrets.put('A', { value: 'x' }, admin)).rejects.toMatchObject({ code: 'SECRETS_LOCKED' });
  });

  it('is replaced by a new one before the old: all secrets come under the new', async () => {
    const [old, fresh] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];
    await (await open(old)).put('A', { value: 'hunter-22' }, admin);
    await open(`${fresh},${old}`);
    expect((await open(fresh)).lease(['A'])).toEqual({ A: { value: 'hunter-22' } });
    expect((await open(old)).keyProblem).toContain('1 of 1 secrets cannot be decrypted');
  });
});
