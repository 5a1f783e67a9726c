import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import type { Store } from '../store/port.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Actor } from '../workflows/port.ts';
import { createAccess } from './access.ts';
import type { Access } from './port.ts';
import { emptyDatabase } from '../testing/empty-database.fixture.ts';

const actor: Actor = { name: 'Ada', role: 'admin', address: '127.0.0.1' };
let now: number;
const clock = { now: () => now };
let file: string;
let store: Store;
let access: Access;

const open = () => {
  store = openSqlite({ file, durability: 'normal' });
  access = createAccess({ store, clock, limits: { ...LIMITS, sessionHours: 12 } });
};
const close = async () => {
  await access.close();
  await store.close();
};
const restart = async () => {
  await close();
  open();
};
beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00.000Z');
  file = await emptyDatabase('access', 'master.db');
  open();
});
afterEach(() => close());

/** Sign-ins are answered before their rows are written. */
const written = () => store.write(() => undefined);

const makeKey = (over: object = {}) =>
  access.keys.create({ name: 'ci', workflows: ['orders'], environments: ['dev'], ...over }, actor);

describe('API keys', () => {
  it('reach their workflows and environments, also after a restart', async () => {
    const { key, prefix } = await makeKey();
    expect(key).toMatch(/^ym_[A-Za-z0-9]{43}$/);
    expect(key.startsWith(prefix)).toBe(true);
    for (let round = 0; round < 2; round++) {
      expect(access.key(key)?.reaches('orders', 'dev')).toBe(true);
      expect(access.key(key)?.reaches('orders', 'prod')).toBe(false);
      expect(access.key(key)?.reaches('other', 'dev')).toBe(false);
      await restart();
    }
    const everything = await makeKey({ workflows: ['*'], environments: ['dev', 'prod'] });
    expect(access.key(everything.key)?.reaches('anything', 'prod')).toBe(true);
    expect(access.key('ym_unknown')).toBeNull();
    expect(access.key('')).toBeNull();
  });

  it('end when they are revoked and when they expire', async () => {
    const expiring = await makeKey({ expiresAt: '2026-01-01T01:00:00Z' });
    const revoked = await makeKey();
    await access.keys.revoke(revoked.id, actor);
    expect(access.key(revoked.key)).toBeNull();
    expect(access.key(expiring.key)).not.toBeNull();
    now += 3_600_000;
    expect(access.key(expiring.key)).toBeNull();
    await restart();
    expect(access.key(revoked.key)).toBeNull();
    await expect(access.keys.revoke(revoked.id, actor)).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
    await expect(access.keys.rotate(revoked.id, 0, actor)).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  });

  it('get a new secret under the same id; the old one lives for the overlap', async () => {
    const { id, key } = await makeKey();
    const next = await access.keys.rotate(id, 60, actor);
    expect(next).toEqual({ id, key: expect.not.stringMatching(key) as string, prefix: next.key.slice(0, 9) });
    for (let round = 0; round < 2; round++) {
      expect([access.key(key)?.id, access.key(next.key)?.id]).toEqual([id, id]);
      await restart();
    }
    const last = await access.keys.rotate(id, 0, actor);
    expect([access.key(key)?.id, access.key(next.key), access.key(last.key)?.id]).toEqual([undefined, null, id]);
    now += 60_000;
    await restart();
    expect([access.key(key), access.key(next.key), access.key(last.key)?.id]).toEqual([null, null, id]);
  });

  it('show when they were last used, which is written in batches', async () => {
    const { key } = await makeKey();
    expect((await access.keys.list({ page: 0, size: 20 })).items[0]?.lastUsedAt).toBeNull();
    now += 5000;
    access.key(key);
    expect((await access.keys.list({ page: 0, size: 20 })).items[0]?.lastUsedAt).toBe('2026-01-01T00:00:05.000Z');
    await restart();
    expect((await access.keys.list({ page: 0, size: 20 })).items[0]?.lastUsedAt).toBe('2026-01-01T00:00:05.000Z');
  });
});

describe('tokens', () => {
  it('have a role, expire, and can be revoked', async () => {
    const { token, id } = await access.tokens.create(
      { name: 'ops', role: 'operator', expiresAt: '2026-01-02T00:00:00Z' },
      actor,
    );
    expect(access.token(token)).toMatchObject({
      actor: 'ops',
      role: 'operator',
      expiresAt: '2026-01-02T00:00:00.000Z',
    });
    now += 86_400_000;
    expect(access.token(token)).toBeNull();
    const other = await access.tokens.create({ name: 'o', role: 'viewer' }, actor);
    await access.tokens.revoke(other.id, actor);
    expect(access.token(other.token)).toBeNull();
    await expect(access.tokens.revoke(other.id, actor)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    expect(id).not.toBe(other.id);
  });

  it('of workers may be bound to environments and have labels, also after a restart', async () => {
    const { token } = await access.tokens.create(
      { name: 'pool', role: 'worker', environments: ['prod', 'dev', 'dev'], labels: { zone: 'a' } },
      actor,
    );
    await access.tokens.create({ name: 'any', role: 'worker' }, actor);
    const pool = { environments: ['dev', 'prod'], labels: { zone: 'a' } };
    expect(access.token(token)).toMatchObject(pool);
    await restart();
    expect(access.token(token)).toMatchObject(pool);
    expect((await access.tokens.list({ page: 0, size: 20 })).items).toMatchObject([
      { name: 'any', environments: null, labels: {} },
      { name: 'pool', ...pool },
    ]);
    const [entry] = (await access.audit.list({ page: 0, size: 1, target: 'token:' })).items.slice(-1);
    expect(entry?.action).toBe('token.create');
    for (const given of [{ environments: ['dev' as const] }, { labels: { zone: 'a' } }])
      await expect(access.tokens.create({ name: 'o', role: 'operator', ...given }, actor)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
  });

  it('of the master itself are made sure of: the same secret stays, a new one replaces it', async () => {
    await access.tokens.ensure({ name: 'local workers', role: 'worker', secret: 'first-secret' });
    await access.tokens.ensure({ name: 'local workers', role: 'worker', secret: 'first-secret' });
    expect((await access.tokens.list({ page: 0, size: 20 })).totalItems).toBe(1);
    await access.tokens.ensure({ name: 'local workers', role: 'worker', secret: 'second-secret' });
    expect([access.token('first-secret'), access.token('second-secret')?.role]).toEqual([null, 'worker']);
    const { items } = await access.tokens.list({ page: 0, size: 20 });
    await access.tokens.revoke(items[0]?.id as string, actor);
    await access.tokens.ensure({ name: 'local workers', role: 'worker', secret: 'second-secret' });
    expect(access.token('second-secret')?.role).toBe('worker');
  });

  it('of the master itself end where it is given none any more', async () => {
    await access.tokens.ensure({ name: 'preset viewer', role: 'viewer', secret: 'of-the-scraper' });
    await access.tokens.create({ name: 'preset viewer', role: 'viewer' }, actor);
    expect(access.token('of-the-scraper')?.role).toBe('viewer');
    await access.tokens.ensure({ name: 'preset viewer', role: 'viewer', secret: null });
    expect(access.token('of-the-scraper')).toBeNull();
    expect((await access.tokens.list({ page: 0, size: 20 })).totalItems).toBe(1);
  });
});

it('writes nothing where a token of the master is as it should be: a start waits for no sync', async () => {
  const statements: string[] = [];
  const other = createAccess({
    store: {
      ...store,
      write: (run) =>
        store.write((db) =>
          run({
            ...db,
            statement(text: string) {
              statements.push(text);
              return db.statement(text);
            },
          } as typeof db),
        ),
    },
    clock,
    limits: { ...LIMITS, sessionHours: 12 },
  });
  const ensure = () => other.tokens.ensure({ name: 'local', role: 'admin', secret: 'the-secret' });
  await ensure();
  expect(statements.length).toBeGreaterThan(0);
  statements.length = 0;
  await ensure();
  expect(statements).toEqual([]);
  await other.close();
});

describe('sessions', () => {
  it('are opened by a token, outlive a restart, and end with it', async () => {
    const { token, id } = await access.tokens.create({ name: 'ops', role: 'operator' }, actor);
    const session = access.signIn(token);
    expect(session).toMatchObject({
      maxAgeSeconds: 43_200,
      identity: { actor: 'ops', role: 'operator', expiresAt: '2026-01-01T12:00:00.000Z' },
    });
    const cookie = session?.cookie as string;
    expect(access.session(cookie)?.actor).toBe('ops');
    await restart();
    expect(access.session(cookie)?.actor).toBe('ops');
    await access.tokens.revoke(id, actor);
    expect(access.session(cookie)).toBeNull();
    await restart();
    expect(access.session(cookie)).toBeNull();
  });

  it('end by sign-out, by time, and with the time of their token', async () => {
    const { token } = await access.tokens.create(
      { name: 'o', role: 'viewer', expiresAt: '2026-01-01T01:00:00Z' },
      actor,
    );
    const first = access.signIn(token)?.cookie as string;
    access.signOut(first);
    expect(access.session(first)).toBeNull();
    const second = access.signIn(token)?.cookie as string;
    now += 3_600_000;
    expect(access.session(second)).toBeNull();
  });

  it('of others go on, however often somebody signs in', async () => {
    const { token: admin } = await access.tokens.create({ name: 'ops', role: 'admin' }, actor);
    const { token: viewer } = await access.tokens.create({ name: 'guest', role: 'viewer' }, actor);
    const cookie = access.signIn(admin)?.cookie ?? '';
    const first = access.signIn(viewer)?.cookie ?? '';
    for (let i = 0; i < 10_000; i++) access.signIn(viewer);
    expect([access.session(cookie)?.actor, access.session(first)]).toEqual(['ops', null]);
    await written();
  });

  it('are not for workers, nor for what is no token', async () => {
    const { token } = await access.tokens.create({ name: 'w', role: 'worker' }, actor);
    expect([access.signIn(token), access.signIn('nonsense'), access.signIn('')]).toEqual([null, null, null]);
  });

  it('are opened once by a code, within five minutes', () => {
    const code = access.oneTimeCode('admin');
    expect(access.signIn(code)?.identity.role).toBe('admin');
    expect(access.signIn(code)).toBeNull();
    const late = access.oneTimeCode('admin');
    now += 300_000;
    expect(access.signIn(late)).toBeNull();
  });
});

it('keeps no secret in the database or the audit log', async () => {
  const { key, id } = await makeKey();
  const { key: rotated } = await access.keys.rotate(id, 0, actor);
  const { token } = await access.tokens.create({ name: 'o', role: 'viewer' }, actor);
  await access.tokens.ensure({ name: 'm', role: 'admin', secret: 'given-from-outside' });
  const cookie = access.signIn(token)?.cookie as string;
  await written();
  const { items } = await access.audit.list({ page: 0, size: 20 });
  expect(items.map((e) => [e.action, e.actor, e.role, e.address])).toEqual([
    ['session.sign-in', 'o', 'viewer', null],
    ['token.create', 'yardmaster', 'admin', null],
    ['token.create', 'Ada', 'admin', '127.0.0.1'],
    ['key.rotate', 'Ada', 'admin', '127.0.0.1'],
    ['key.create', 'Ada', 'admin', '127.0.0.1'],
  ]);
  await close();
  const bytes = readFileSync(file).toString('latin1') + JSON.stringify(items);
  for (const secret of [key, rotated, token, cookie, 'given-from-outside'])
    expect(bytes).not.toContain(secret.slice(10));
  open();
});

describe('the audit log of sign-ins', () => {
  const listed = async (action: string) => {
    await written();
    return (await access.audit.list({ page: 0, size: 100, action })).items;
  };

  it('tells who came and went, from where, without a secret', async () => {
    const { token, id } = await access.tokens.create({ name: 'ops', role: 'operator' }, actor);
    const session = access.signIn(token, '10.0.0.1');
    access.signOut(session?.cookie as string, '10.0.0.1');
    access.signOut(session?.cookie as string, '10.0.0.1');
    const [came] = await listed('session.sign-in');
    const gone = await listed('session.sign-out');
    expect(came).toMatchObject({
      actor: 'ops',
      role: 'operator',
      address: '10.0.0.1',
      target: expect.stringMatching(/^session:[0-9a-f]{16}$/),
      before: null,
      after: { by: `token:${id}` },
    });
    expect(gone).toMatchObject([{ actor: 'ops', address: '10.0.0.1', target: came?.target, after: null }]);
    access.signIn(access.oneTimeCode('admin'), '10.0.0.2');
    expect((await listed('session.sign-in'))[0]).toMatchObject({
      actor: 'local',
      role: 'admin',
      after: { by: 'code' },
    });
  });

  it('counts refusals by address, and is not filled by them', async () => {
    const guess = (address: string, action: 'token.refused' | 'session.refused' = 'session.refused') => {
      try {
        access.attempts.wrong({ address, isLocal: false }, 'guess', action);
      } catch {
        // Too many.
      }
    };
    for (let i = 0; i < 100; i++) guess('10.0.0.9');
    const one = { actor: 'unknown', role: null, address: '10.0.0.9', target: 'session:10.0.0.9' };
    expect(await listed('session.refused')).toMatchObject([{ ...one, after: { refusals: 1 } }]);
    // The window is over: who comes next has the count of the others written.
    now += 60_000;
    guess('10.0.0.9', 'token.refused');
    expect(await listed('session.refused')).toMatchObject([
      { ...one, after: { refusals: 99 } },
      { ...one, after: { refusals: 1 } },
    ]);
    for (let i = 0; i < 500; i++) guess(`10.0.1.${i}`);
    expect(await listed('session.refused')).toHaveLength(2 + 20);
    // Stopping the master loses none.
    await restart();
    expect((await access.audit.list({ page: 0, size: 5, target: 'session:many addresses' })).items).toMatchObject([
      { address: null, after: { refusals: 480 } },
      { address: null, after: { refusals: 1 } },
    ]);
  });
});

it('makes a key and a token whose time has passed, which let nobody in', async () => {
  const past = { expiresAt: '2025-12-31T23:59:59Z' };
  expect(access.key((await makeKey(past)).key)).toBeNull();
  const { token } = await access.tokens.create({ name: 'o', role: 'viewer', ...past }, actor);
  expect(access.token(token)).toBeNull();
});

it('lists the audit log newest first, by action, actor and target', async () => {
  const a = await makeKey();
  now += 1000;
  await access.keys.revoke(a.id, { ...actor, name: 'Bob' });
  expect((await access.audit.list({ page: 0, size: 1 })).items[0]).toMatchObject({
    action: 'key.revoke',
    actor: 'Bob',
    target: `key:${a.id}`,
    before: { revokedAt: null },
    after: { revokedAt: '2026-01-01T00:00:01.000Z' },
  });
  expect(
    (await access.audit.list({ page: 0, size: 20, action: 'key.create', actor: 'Ada', target: `key:${a.id}` }))
      .totalItems,
  ).toBe(1);
  expect((await access.audit.list({ page: 0, size: 20, target: 'key:' })).totalItems).toBe(2);
  expect((await access.audit.list({ page: 0, size: 20, target: 'ke:' })).totalItems).toBe(0);
  expect((await access.audit.list({ page: 0, size: 20, actor: 'Eve' })).items).toEqual([]);
});
