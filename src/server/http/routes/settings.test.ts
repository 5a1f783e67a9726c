import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBackup } from '../../../lib/backup-file.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const as = (
  role: 'admin' | 'viewer',
  method: 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'POST',
  url: string,
  payload?: object,
) =>
  h.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${h.tokens[role]}` },
    ...(payload ? { payload } : {}),
  });

describe('settings', () => {
  it('are overridden by an admin, audited, and taken back with null', async () => {
    const patched = await as('admin', 'PATCH', '/api/v1/settings', { jobRetentionDays: 30, limits: { queueDepth: 9 } });
    expect([patched.statusCode, patched.json().limits.queueDepth]).toEqual([200, 9]);
    const { settings } = (await as('viewer', 'GET', '/api/v1/settings')).json() as { settings: { name: string }[] };
    expect(settings.find(({ name }) => name === 'jobRetentionDays')).toEqual({
      name: 'jobRetentionDays',
      value: 30,
      default: 0,
      override: 30,
      bounds: { least: 0, most: 36_500, or: null },
      restart: false,
    });
    const { items } = (await as('viewer', 'GET', '/api/v1/audit?action=setting.change')).json() as { items: unknown[] };
    expect(items).toContainEqual(
      expect.objectContaining({ target: 'setting:jobRetentionDays', before: null, after: 30, actor: 'admin' }),
    );
    expect((await as('admin', 'PATCH', '/api/v1/settings', { queueDepth: null })).json().limits.queueDepth).toBe(
      100_000,
    );
  });

  it.each<[object]>([
    [{ colour: 1 }],
    [{ queueDepth: 'many' }],
    [{ limits: { queueDepth: -1 } }],
    [{ httpAllow: 'x' }],
    [{ constructor: null }],
  ])('%j is refused', async (body) => {
    expect((await as('admin', 'PATCH', '/api/v1/settings', body)).json()).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
    });
  });
});

describe('secrets', () => {
  it('are set, listed by name alone, and deleted', async () => {
    const put = await as('admin', 'PUT', '/api/v1/secrets/SHOP_KEY', {
      value: 'hunter-22',
      description: 'of the shop',
    });
    expect([put.statusCode, put.json()]).toEqual([
      200,
      {
        name: 'SHOP_KEY',
        project: 'default',
        description: 'of the shop',
        readable: true,
        scope: { drafts: false },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        updatedBy: 'admin',
      },
    ]);
    const list = await as('viewer', 'GET', '/api/v1/secrets');
    expect(list.json()).toMatchObject({ totalItems: 1, items: [{ name: 'SHOP_KEY' }] });
    expect((await as('viewer', 'GET', '/api/v1/audit')).body + list.body + put.body).not.toContain('hunter');
    expect((await as('admin', 'DELETE', '/api/v1/secrets/SHOP_KEY')).statusCode).toBe(204);
    expect((await as('admin', 'DELETE', '/api/v1/secrets/SHOP_KEY')).json()).toMatchObject({
      status: 404,
      code: 'SECRET_NOT_FOUND',
    });
  });

  it.each([
    ['lower', { value: 'x' }],
    ['A', {}],
    ['A', { value: '' }],
    ['A', { value: 'x'.repeat(65_537) }],
    [`A${'B'.repeat(63)}`, { value: 'x' }],
  ])('%s with %.30j is refused', async (name, body) => {
    expect((await as('admin', 'PUT', `/api/v1/secrets/${name}`, body)).json()).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
    });
  });

  it('are taken out of payloads that operators see, not of what callers of events get', async () => {
    await as('admin', 'PUT', '/api/v1/secrets/SHOP_KEY', { value: 'hunter-22' });
    await h.publish('upper');
    const { key } = await h.key();
    const sent = await h.app.inject({
      method: 'POST',
      url: '/api/v1/events/upper/dev',
      headers: { 'api-key': key },
      payload: [{ content: 'hunter-22' }],
    });
    expect(sent.body).toContain('hunter-22');
    const shown = await as('viewer', 'GET', `/api/v1/jobs/${sent.headers['x-job-id']}/output`);
    expect(shown.body).toContain('[secret SHOP_KEY]');
    expect(shown.body).not.toContain('hunter');
    const batch = await as('admin', 'POST', '/api/v1/jobs', {
      workflowId: 'upper',
      environment: 'dev',
      inputs: [{ content: 'x' }],
      externalId: 'hunter-22',
      labels: { team: 'hunter-22' },
    });
    expect((await as('viewer', 'GET', `/api/v1/jobs/${batch.json().jobId}`)).json()).toMatchObject({
      externalId: '[secret SHOP_KEY]',
      labels: { team: '[secret SHOP_KEY]' },
    });
    expect((await as('viewer', 'GET', '/api/v1/jobs')).body).not.toContain('hunter');
    expect((await as('viewer', 'GET', `/api/v1/jobs/${sent.headers['x-job-id']}/input`)).json()).toEqual([
      { content: '[secret SHOP_KEY]' },
    ]);
    expect((await as('viewer', 'GET', `/api/v1/jobs/${sent.headers['x-job-id']}/input?replica=0`)).json()).toEqual({
      content: '[secret SHOP_KEY]',
    });
    expect(
      (await as('viewer', 'GET', `/api/v1/jobs/${sent.headers['x-job-id']}/input?replica=-1`)).json(),
    ).toMatchObject({ status: 422 });
  });
});

describe('a backup', () => {
  it('comes as one file that checks out, for admins alone', async () => {
    expect((await as('viewer', 'POST', '/api/v1/backup')).json()).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    const taken = await as('admin', 'POST', '/api/v1/backup');
    expect([taken.statusCode, taken.headers['content-type'], taken.headers['content-length']]).toEqual([
      200,
      'application/octet-stream',
      String(taken.rawPayload.length),
    ]);
    expect(taken.headers['x-backup-bytes']).toBe(String(taken.rawPayload.length));
    expect(taken.headers['content-disposition']).toMatch(
      /filename="yardmaster-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.backup"/,
    );
    const file = join(temporaryFolder('ym-backup'), 'one');
    writeFileSync(file, taken.rawPayload);
    expect((await checkBackup(file)).header.counts.workflows).toBeGreaterThan(0);
  });
  it('that was prepared and not downloaded makes way for the next one of the same person', async () => {
    const first = await as('admin', 'POST', '/api/v1/backup/prepared');
    expect(first.json()).toMatchObject({ replaced: false });
    const second = await as('admin', 'POST', '/api/v1/backup/prepared');
    expect([second.statusCode, second.json()]).toMatchObject([201, { replaced: true }]);
    const get = (answer: typeof first) =>
      as('admin', 'GET', `/api/v1/backup/prepared/${answer.json<{ id: string }>().id}`);
    expect((await get(first)).json()).toMatchObject({ code: 'BACKUP_EXPIRED' });
    expect((await get(second)).rawPayload).toHaveLength(second.json<{ bytes: number }>().bytes);
  });
});
