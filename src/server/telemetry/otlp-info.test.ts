import { expect, it } from 'vitest';
import type { OtlpTarget } from '../../contract/process.ts';
import { otlpInfo } from './otlp-info.ts';

const target = (url: string) => ({ url }) as OtlpTarget;
const stats = {
  ...{ exported: 0, dropped: 0, queued: 0, failing: null },
  ...{ bytes: 0, oldestAt: null, since: null, lostReason: null },
};

it('says of each signal where it goes, whether that works, and what waits', () => {
  const all = otlpInfo(
    { traces: target('http://me:secret@otel:4318/v1/traces'), metrics: target('http://otel:4318/m'), logs: null },
    {
      traces: {
        ...stats,
        failing: 'ECONNREFUSED',
        since: 0,
        queued: 3,
        bytes: 90,
        oldestAt: 1000,
        dropped: 2,
        lostReason: 'full',
      },
      metrics: stats,
    },
  );
  expect(all).toEqual([
    {
      signal: 'traces',
      target: {
        kind: 'otlp',
        address: 'http://otel:4318/v1/traces',
        state: 'failing',
        reason: 'ECONNREFUSED',
        since: '1970-01-01T00:00:00.000Z',
        queue: { items: 3, bytes: 90, oldestAt: '1970-01-01T00:00:01.000Z', lost: 2, lostReason: 'full' },
      },
    },
    { signal: 'metrics', target: expect.objectContaining({ state: 'connecting', reason: null, since: null }) },
  ]);
});
