import { expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { Fault } from '../../lib/fault.ts';
import { createRecording } from './recording.ts';

it('does not call a limit reached that is not, where points are left out', async () => {
  const lines: string[] = [];
  const stats = { points: 0, bytes: 0, series: 5, overCardinality: 0, refusing: null, damaged: 0 };
  const recording = createRecording({
    limits: { ...LIMITS, metricsSeries: 1000 },
    stats,
    // Of a worker: no store takes this name.
    write: () => Promise.resolve({ ...stats, overCardinality: 2 }),
    log: (line) => lines.push(line),
  });
  recording.record({ time: 1, measurement: 'm\u0001', tags: {}, fields: { gauge_a: 1 } });
  await recording.flush();
  recording.end();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/left out 2 points .* 5 of 1000;.* names, values or times/);
  expect(lines[0]).not.toMatch(/maximum/);
});

it('takes no more points than have room in bytes while the store takes none, and goes on once it does', async () => {
  const stats = { points: 0, bytes: 0, series: 0, overCardinality: 0, refusing: null, damaged: 0 };
  let isFull = true;
  const limits = { ...LIMITS, metricsQueueBytes: 1024 * 1024 };
  const recording = createRecording({
    limits,
    stats,
    write: () => (isFull ? Promise.reject(new Fault('METRICS_FULL', 'no room')) : Promise.resolve(stats)),
    log() {},
  });
  const record = (count: number) => {
    for (let n = 0; n < count; n++)
      recording.record({ time: n, measurement: 'm', tags: { t: 'x'.repeat(1000) }, fields: { gauge_a: 1 } });
  };
  record(600);
  await recording.flush();
  record(5000);
  expect(recording.pending).toBeGreaterThan(900);
  expect(recording.pending).toBeLessThan(1100);
  expect(recording.dropped).toBe(5600 - recording.pending);
  isFull = false;
  await recording.flush();
  const { dropped } = recording;
  record(900);
  expect([recording.pending, recording.dropped]).toEqual([900, dropped]);
  recording.end();
});
