import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import type { AccessGrant } from '../../contract/projects.ts';
import { systemClock } from '../../lib/clock.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import type { Store } from '../store/port.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { createAccess } from './access.ts';
import type { Access } from './port.ts';

const admin = { name: 'Ada', role: 'admin', address: null } as const;
let file: string;
let store: Store;
let access: Access;
const open = () => {
  store = openSqlite({ file, durability: 'normal' });
  access = createAccess({ store, clock: systemClock, limits: LIMITS });
};
const close = async () => {
  await access.close();
  await store.close();
};
beforeEach(() => {
  file = join(temporaryFolder('grants'), 'master.db');
  open();
});
afterEach(() => close());

const give = (over: Partial<AccessGrant> = {}) =>
  access.grants.create(
    { subjectKind: 'user', subject: 'u1', role: 'operator', project: null, environments: null, ...over },
    admin,
  );
const rolesOf = (userId: string, groups: string[] = []) => access.grants.of({ userId, groups }).map(({ role }) => role);

it('a person has the grants of their own and of their groups, also after a restart', async () => {
  await give();
  await give({
    subjectKind: 'group',
    subject: 'on-call',
    role: 'viewer',
    project: 'default',
    environments: ['prod', 'dev'],
  });
  for (let round = 0; round < 2; round++) {
    expect([rolesOf('u1'), rolesOf('u1', ['on-call']), rolesOf('u2', ['on-call']), rolesOf('on-call')]).toEqual([
      ['operator'],
      ['operator', 'viewer'],
      ['viewer'],
      [],
    ]);
    expect(access.grants.of({ userId: 'u2', groups: ['on-call'] })).toMatchObject([
      { project: 'default', environments: ['dev', 'prod'] },
    ]);
    await close();
    open();
  }
});

it('a grant that is taken back ends at once, and open connections are told', async () => {
  let told = 0;
  access.onCredentialEnded(() => told++);
  const { id } = await give();
  expect(access.grants.of({ userId: 'u1', groups: [] })).toBe(access.grants.of({ userId: 'u1', groups: [] }));
  await access.grants.remove(id, admin);
  expect([rolesOf('u1'), told]).toEqual([[], 2]);
  await expect(access.grants.remove(id, admin)).rejects.toMatchObject({ code: 'GRANT_NOT_FOUND' });
  const audit = await access.audit.list({ page: 0, size: 10, target: `grant:${id}` });
  expect(audit.items.map(({ action }) => action)).toEqual(['grant.delete', 'grant.create']);
});
