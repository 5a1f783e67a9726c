import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../../contract/approvals.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { Settings } from '../../../contract/settings.ts';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';

/** What an approval holds against an administrator who asks for it. */

const HOUR_MS = 3_600_000;
let harness: Harness;
let now: number;
let version: string;
/** Bearer secrets by name: two administrators, and whoever has the machine. */
let as: Record<'ann' | 'bob' | 'machine', string>;

beforeEach(async () => {
  now = Date.now();
  harness = await startHarness({ clock: { now: () => now }, limits: { passwordCost: 4, passwordPasses: 1 } });
  const { access } = harness.services;
  await access.tokens.ensure({ name: 'local', role: 'admin', secret: 'own-secret' });
  as = { ann: await person('ann'), bob: await person('bob'), machine: 'own-secret' };
  version = await harness.publish('flow');
  await call('PATCH', '/settings', { protectedEnvironments: { prod: { approvals: 1 } } }, as.machine);
  now += 48 * HOUR_MS;
});
afterEach(() => harness.close());

async function call<T = Approval & { code?: string }>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  url: string,
  body: object | null,
  who: string,
) {
  const answer = await harness.app.inject({
    method,
    url: `/api/v1${url}`,
    headers: { authorization: `Bearer ${who}` },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json() as T };
}
/** A person with a token, made by another one. */
async function person(login: string, by = tester.name, role: 'admin' | null = 'admin'): Promise<string> {
  const { access } = harness.services;
  const { id } = await access.users.create({ login, ...(role && { role }) }, { ...tester, name: by });
  return (await access.tokens.create({ name: 'laptop', role: 'admin', userId: id }, { ...tester, name: login })).token;
}
const idOf = (login: string) =>
  harness.services.access.users.list({ page: 0, size: 50 }).items.find((user) => user.login === login)?.id ?? '';
const ask = async (who = as.ann) =>
  (await call('PUT', '/workflows/flow/environments/prod', { hash: version }, who)).body.id;
const approve = async (id: string, who: string) => {
  const { status, body } = await call('POST', `/approvals/${id}`, { decision: 'approve' }, who);
  return status === 200 ? 'approved' : body.code;
};

describe('somebody whom the requester made', () => {
  it('does not approve: not right away, and not by a chain of accounts and tokens', async () => {
    const { access } = harness.services;
    const puppet = await person('puppet', 'ann');
    await access.users.create({ login: 'robot', kind: 'service', role: 'admin' }, { ...tester, name: 'ann' });
    const ofRobot = await person('second', 'robot');
    const loose = await access.tokens.create({ name: 'loose', role: 'admin' }, { ...tester, name: 'robot' });
    const id = await ask();
    for (const who of [puppet, ofRobot, loose.token]) expect(await approve(id, who)).toBe('SECOND_PERSON_NEEDED');
    expect(await approve(id, as.bob)).toBe('approved');
  });

  it('does not approve either once the account between them is deleted', async () => {
    const { access } = harness.services;
    await access.users.create({ login: 'between', kind: 'service', role: 'admin' }, { ...tester, name: 'ann' });
    const made = await person('of-between', 'between');
    await access.users.remove(idOf('between'), tester);
    expect(await approve(await ask(), made)).toBe('SECOND_PERSON_NEEDED');
  });

  it('approves once everybody could have seen it for a day', async () => {
    const colleague = await person('colleague', 'ann');
    now += 25 * HOUR_MS;
    expect(await approve(await ask(), colleague)).toBe('approved');
  });

  it('does not approve with a password, role or group that the requester gave lately', async () => {
    const { access } = harness.services;
    const ann = { ...tester, name: 'ann' };
    const [eve, fay] = [await person('eve'), await person('fay', tester.name, null)];
    now += 25 * HOUR_MS;
    await access.users.resetPassword(idOf('eve'), { keepTokens: true, keepPasskeys: true }, ann);
    await access.grants.create({ subjectKind: 'user', subject: idOf('fay'), role: 'admin' }, ann);
    const id = await ask();
    expect([await approve(id, eve), await approve(id, fay)]).toEqual(['SECOND_PERSON_NEEDED', 'SECOND_PERSON_NEEDED']);
    now += 25 * HOUR_MS;
    const later = await ask();
    expect(await approve(later, fay)).toBe('approved');
  });

  it('or anybody else does not approve what is older than their account or role', async () => {
    const fay = await person('fay', tester.name, null);
    const id = await ask();
    now += HOUR_MS;
    const gus = await person('gus');
    await harness.services.access.grants.create({ subjectKind: 'user', subject: idOf('fay'), role: 'admin' }, tester);
    for (const who of [gus, fay]) expect(await approve(id, who)).toBe('SECOND_PERSON_NEEDED');
    now += HOUR_MS;
    expect(await approve(await ask(), gus)).toBe('approved');
  });
});

describe('turning protection off, or down', () => {
  const patch = (changes: object, who = as.ann) => call('PATCH', '/settings', changes, who);
  const inForce = async (name: string) =>
    (await call<Settings>('GET', '/settings', null, as.ann)).body.settings.find((one) => one.name === name)?.value;

  it('waits for a second person, too', async () => {
    await patch({ bulkApprovalOver: 10 });
    for (const changes of [
      { protectedEnvironments: null },
      { protectedEnvironments: { dev: { approvals: 1 } } },
      { bulkApprovalOver: null },
      { bulkApprovalOver: 11 },
      { approvalOverride: true },
      { approverSettleHours: 0, queueDepth: 7 },
    ]) {
      const asked = await patch(changes);
      expect([changes, asked.status]).toEqual([changes, 202]);
      expect(asked.body).toMatchObject({ kind: 'settings', status: 'open', settings: { changes }, mine: true });
      expect(await approve(asked.body.id, as.ann)).toBe('SECOND_PERSON_NEEDED');
    }
    expect(await inForce('protectedEnvironments')).toEqual({ prod: { approvals: 1 } });
    for (const changes of [{ bulkApprovalOver: 9 }, { approverSettleHours: 48 }, { queueDepth: 9 }])
      expect([changes, (await patch(changes)).status]).toEqual([changes, 200]);
  });

  it('is done when another admin approves, as long as nothing changed meanwhile', async () => {
    const [one, two] = [await patch({ protectedEnvironments: {} }), await patch({ protectedEnvironments: null })];
    expect(await approve(one.body.id, harness.tokens.operator)).toBe('FORBIDDEN');
    expect(await approve(one.body.id, as.bob)).toBe('approved');
    expect(await inForce('protectedEnvironments')).toEqual({});
    expect(await approve(two.body.id, as.bob)).toBe('SETTINGS_MOVED');
  });

  it('is done at once by whoever has the machine, and shown as done alone', async () => {
    const asked = await patch({ protectedEnvironments: null }, as.machine);
    expect(asked.status).toBe(200);
    const { items } = (await call<Page<Approval>>('GET', '/approvals?kind=settings', null, as.ann)).body;
    expect(items).toMatchObject([{ status: 'approved', override: true, requestedBy: 'local', decidedBy: 'local' }]);
    expect(harness.services.approvals.watched(0)).toEqual([{ reason: 'alone', count: 1 }]);
  });

  it('without a way around: the settings themselves refuse it', async () => {
    await expect(harness.services.overrides.patch({ protectedEnvironments: null }, tester)).rejects.toMatchObject({
      code: 'SECOND_PERSON_NEEDED',
    });
  });
});

it('is in the history of publications: who asked, and who approved', async () => {
  await approve(await ask(), as.bob);
  const { items } = await harness.services.workflows.publications('flow', { page: 0, size: 1 });
  expect(items).toMatchObject([{ environment: 'prod', publishedBy: 'ann', approvedBy: 'bob' }]);
});
