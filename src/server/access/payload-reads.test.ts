import { afterEach, beforeEach, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import { emptyDatabase } from '../testing/empty-database.fixture.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Store } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import { createAccess } from './access.ts';
import type { Access, Identity } from './port.ts';

const HOUR_MS = 3_600_000;
let now: number;
let store: Store;
let access: Access;
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  store = openSqlite({ file: await emptyDatabase('reads-', 'master.db'), durability: 'normal' });
  access = createAccess({
    store,
    clock: { ...systemClock, now: () => now },
    limits: { ...LIMITS, auditPayloadReads: 2, projects: 2, customRoles: 1, grantsPerPerson: 1 },
  });
});
afterEach(async () => {
  await access.close();
  await store.close();
});

const person = (name: string): Identity => ({
  actor: name,
  role: 'viewer',
  expiresAt: null,
  grants: [],
  userId: `user-${name}`,
});
const read = (identity: Identity, target: string) =>
  access.payloadReads.note(identity, { name: identity.actor, role: identity.role, address: '10.0.0.7' }, target, {
    by: 'jobs.output',
  });
const entries = async () =>
  (await access.audit.list({ page: 0, size: 50, action: 'payload.read' })).items
    .map(({ actor, target, after, number }) => ({ actor, target, after, number }))
    .toReversed();

it('one entry for each person, job and hour, in the chain of what is frequent', async () => {
  for (let i = 0; i < 3; i++) await Promise.all([read(person('ada'), 'job:1'), read(person('bob'), 'job:1')]);
  await read(person('ada'), 'job:2');
  expect(await entries()).toEqual([
    { actor: 'ada', target: 'job:1', after: { by: 'jobs.output' }, number: -1 },
    { actor: 'bob', target: 'job:1', after: { by: 'jobs.output' }, number: -2 },
    { actor: 'ada', target: 'job:2', after: { by: 'jobs.output' }, number: -3 },
  ]);
  now += HOUR_MS;
  await read(person('ada'), 'job:1');
  expect((await entries()).length).toBe(4);
  expect((await access.audit.verify()).ok).toBe(true);
});

it('counts what somebody reads beyond the limit, and nobody else is counted with them', async () => {
  for (const job of [1, 2, 3, 4, 5, 3]) await read(person('ada'), `job:${job}`);
  await read(person('bob'), 'job:9');
  now += HOUR_MS;
  await read(person('ada'), 'job:3');
  const seen = (await entries()).map(({ actor, target, after }) => [actor, target, after]);
  expect(seen).toContainEqual(['ada', 'payload:further', { reads: 4 }]);
  expect(seen.map(([actor, target]) => `${actor} ${target}`).toSorted()).toEqual([
    'ada job:1',
    'ada job:2',
    'ada job:3',
    'ada payload:further',
    'bob job:9',
  ]);
});

it('notes the master’s own token only once there are people', async () => {
  const own: Identity = { actor: 'local', role: 'admin', expiresAt: null, grants: null, userId: null };
  await read(own, 'job:1');
  expect(await entries()).toEqual([]);
  const root: Actor = { name: 'root', role: 'admin', address: null };
  await access.users.create({ login: 'ada', password: 'correct horse battery staple' }, root);
  await read(own, 'job:1');
  expect((await entries()).map(({ actor, target }) => [actor, target])).toEqual([['local', 'job:1']]);
});

it('projects, roles and grants have limits that say what to do', async () => {
  const root: Actor = { name: 'root', role: 'admin', address: null };
  const refusal = async (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Error & { code: string }) => `${error.code}: ${error.message}`,
    );
  await access.projects.create({ id: 'shop', name: 'Shop' }, root);
  expect(await refusal(access.projects.create({ id: 'bank', name: 'Bank' }, root))).toBe(
    'VALIDATION_FAILED: the maximum of 2 projects is reached (limit projects; there are 2): delete one first, or raise the limit',
  );
  await access.roles.set('support', { actions: ['jobs.read'] }, root);
  await access.roles.set('support', { actions: ['jobs.read', 'logs.read'] }, root);
  expect(await refusal(access.roles.set('more', { actions: ['jobs.read'] }, root))).toContain('(limit customRoles;');
  const grant = (subject: string) =>
    refusal(access.grants.create({ subjectKind: 'group', subject, role: 'support', project: 'shop' }, root));
  expect([await grant('a'), await grant('b')]).toEqual([null, null]);
  expect(await grant('a')).toContain('the maximum of 1 grants of one person or group is reached');
});
