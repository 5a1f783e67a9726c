import { expect, it } from 'vitest';
import { embeddedStore } from '../../lib/embedded-store.ts';
import type { StoreInfo } from '../../contract/settings.ts';
import { targetStates, watchLost } from './target-states.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
const info = (over: Partial<StoreInfo> & { lost?: number; oldest?: number | null }): StoreInfo => ({
  ...{ kind: 'influxdb', address: 'http://influx:8086', state: 'ok', reason: null, since: ago(5000) },
  queue: {
    ...{ items: 1, bytes: 1, lost: over.lost ?? 0, lostReason: null },
    oldestAt: over.oldest === undefined || over.oldest === null ? null : ago(over.oldest),
  },
  ...over,
});
const none = { logs: embeddedStore(null), metrics: embeddedStore(null), remoteWrite: null, otlp: [] };

it('has no state of stores that the master keeps itself', () => expect(targetStates(none, NOW)).toEqual([]));

it('is behind by the age of what waits, or since it is failing', () => {
  const states = targetStates(
    {
      logs: info({ kind: 'victorialogs', address: 'http://logs:9428', state: 'failing', since: ago(30), oldest: 20 }),
      metrics: info({ oldest: 7 }),
      remoteWrite: info({ kind: 'remote-write', state: 'connecting' }),
      otlp: [{ signal: 'traces', target: info({ kind: 'otlp', address: 'http://otel:4318/v1/traces', lost: 4 }) }],
    },
    NOW,
  );
  expect(states.map(({ target, behindSeconds, lost }) => [target, behindSeconds, lost])).toEqual([
    ['VictoriaLogs', 30, 0],
    ['InfluxDB', 7, 0],
    ['Prometheus remote write', 0, 0],
    ['OTLP traces', 0, 4],
  ]);
});

it('counts what was lost since a time', () => {
  let now = NOW;
  let lost = 0;
  const lostSince = watchLost(
    () => targetStates({ ...none, metrics: info({ lost }) }, now),
    () => now,
  );
  const inMinutes = (minutes: number) => lostSince(now - minutes * 60_000).map(({ count }) => count);
  expect(inMinutes(10)).toEqual([0]);
  for (let minute = 0; minute < 20; minute++) {
    now += 60_000;
    lost += 2;
    inMinutes(10);
  }
  expect(inMinutes(10)).toEqual([20]);
  now += 700_000;
  expect(inMinutes(10)).toEqual([0]);
});
