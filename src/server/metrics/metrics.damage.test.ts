import { closeSync, fstatSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { createDamageRegistry } from '../observability/damage.ts';
import type { FoundDamage } from '../observability/port.ts';
import { createMetrics } from './metrics.ts';
import type { MetDamage } from './store/port.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

it('says in its answers, and to whoever runs a query, that points are missing', async () => {
  const folder = temporaryFolder('metrics');
  const T = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 4 * 3_600_000;
  const start = async () => {
    const found: FoundDamage[] = [];
    const made = await createMetrics({
      folder,
      limits: LIMITS,
      clock: systemClock,
      damage: {
        report: (damage) => found.push(damage),
        forget: () => {},
        list: () => [],
        warnings: (parts, from, to) =>
          found
            .filter((one) => parts.includes(one.part) && (one.from ?? 0) < (to ?? 0) && (one.to ?? 0) > (from ?? 0))
            .map(({ what, lost }) => ({ code: 'DATA_DAMAGED', message: what, ...(lost === null ? {} : { lost }) })),
      },
    });
    opened.push(made.close);
    return { ...made, found };
  };
  const before = await start();
  const text = [
    // Enough to be unpacked apart from the others.
    ...Array.from({ length: 5000 }, (_, i) => `m,h=a v=${Math.sin(i)} ${T + i * 10}`),
    ...Array.from({ length: 500 }, (_, i) => `m,h=b v=${i} ${T + i * 100}`),
  ];
  await before.store.write('metrics', new TextEncoder().encode(text.join('\n')), 'ms');
  await before.room.settle();
  await opened.splice(0)[0]?.();

  const part = readdirSync(join(folder, 'bucket-1')).find((name) => name.endsWith('.db')) ?? '';
  const db = new Database(join(folder, 'bucket-1', part));
  db.exec("UPDATE pack SET data = CAST(substr(data, 1, 1000) || x'ff00ff' || substr(data, 1004) AS BLOB)");
  db.close();

  const { room, store, found } = await start();
  const query = (from: number) =>
    room.series({
      ...{ measurement: 'm', field: 'v', aggregate: 'p50', groupBy: ['h'], filters: {}, limit: 10, intervalMs: null },
      ...{ from, to: T + 60_000 },
    });
  const whole = await query(T);
  expect(whole.series.map(({ tags }) => tags['h'])).toEqual(['b']);
  expect(whole.warnings).toMatchObject([{ code: 'DATA_DAMAGED', lost: 5000 }]);
  expect(found).toMatchObject([{ part: 'metrics', file: `metrics/bucket-1/${part}`, place: 'series 1 in pack 1' }]);
  expect((await query(T + 50_000)).warnings).toBeUndefined();

  const met: MetDamage = { count: 0 };
  const pages: string[] = [];
  const args = {
    measurement: 'm',
    field: 'v',
    aggregate: 'p50',
    groupBy: [],
    filters: {},
    limit: 10,
    intervalMs: null,
  };
  const signal = new AbortController().signal;
  for await (const page of store.run({ kind: 'series', args: { ...args, from: T, to: T + 60_000 } }, signal, met))
    pages.push(new TextDecoder().decode(page));
  expect(pages.join('')).toContain('"values":[249]');
  expect(met.count).toBe(1);
});

it('says what is damaged and what to do where its main file breaks under it, and tells of the damage', async () => {
  const folder = temporaryFolder('metrics');
  const start = async () => {
    const found: FoundDamage[] = [];
    const damage = {
      report: (one: FoundDamage) => void found.push(one),
      forget: () => {},
      list: () => [],
      warnings: () => [],
    };
    const made = await createMetrics({ folder, limits: LIMITS, clock: systemClock, damage });
    opened.push(made.close);
    return { ...made, found };
  };
  const before = await start();
  const text = Array.from({ length: 5000 }, (_, i) => `m,host=h${i} v=1 ${Date.now()}`);
  await before.store.write('metrics', new TextEncoder().encode(text.join('\n')), 'ms');
  await before.room.settle();
  await opened.splice(0)[0]?.();

  const { room, found } = await start();
  const file = openSync(join(folder, 'head.db'), 'r+');
  const { size } = fstatSync(file);
  for (let page = 2; page < size / 4096; page++) writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, page * 4096);
  closeSync(file);
  const asked = room.series({
    ...{ measurement: 'm', field: 'v', aggregate: 'mean', groupBy: [], filters: {}, limit: 10, intervalMs: null },
    ...{ from: Date.now() - 60_000, to: Date.now() + 60_000 },
  });
  await expect(asked).rejects.toMatchObject({ code: 'DATA_DAMAGED', message: expect.stringContaining('head.db') });
  expect(found).toMatchObject([{ part: 'metrics', file: 'metrics/head.db', lost: null }]);
});

it('forgets the damage of a partition once neither its file nor one that was set aside is left, also where they went while it was stopped', async () => {
  const folder = temporaryFolder('metrics');
  const damage = createDamageRegistry({ file: join(folder, 'damage.json'), now: Date.now, log() {} });
  const start = async (limits = LIMITS) => {
    const made = await createMetrics({ folder, limits, clock: systemClock, damage });
    opened.push(made.close);
    return made;
  };
  const stop = () => opened.splice(0)[0]?.();
  const { store, room } = await start();
  await store.write('metrics', new TextEncoder().encode(`m v=1 ${Date.now() - 3 * 86_400_000}`), 'ms');
  await room.settle();
  await stop();
  const bucket = join(folder, 'bucket-1');
  const name = readdirSync(bucket).find((file) => file.endsWith('.db')) ?? '';
  const told: FoundDamage = {
    ...{ part: 'metrics', file: `metrics/bucket-1/${name}`, place: '', what: 'is damaged' },
    ...{ from: null, to: null, lost: null, keep: true },
  };
  damage.report(told);
  renameSync(join(bucket, name), join(bucket, `${name}.damaged-1`));
  await start();
  expect(damage.list()).toHaveLength(1);
  await stop();

  const { room: next } = await start({ ...LIMITS, metricsRollupRetentionDays: 1 });
  await next.settle();
  await expect.poll(() => damage.list()).toEqual([]);
  await stop();

  damage.report(told);
  damage.report({ ...told, file: `${told.file}.damaged-1` });
  rmSync(join(bucket, `${name}.damaged-1`), { force: true });
  await start();
  expect(damage.list()).toEqual([]);
});
