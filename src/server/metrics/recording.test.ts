import { expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
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
