import { expect, it } from 'vitest';
import type { ClusterFigures } from '../../../contract/desktop.ts';
import type { ClusterHistory } from '../../stores/fleet.ts';
import { sumFleet } from './fleet-summary.ts';

const figures = (given: Partial<ClusterFigures>): ClusterFigures => ({
  ...{ queued: 0, runningTasks: 0, runningJobs: 0, failedLastHour: 0, alertsFiring: 0 },
  ...{ workersUp: null, workers: null, mastersUp: null, masters: null },
  ...given,
});
const seen = (state: 'up' | 'down', facts: ClusterFigures | null): ClusterHistory => ({
  latest: { state, message: null, tookMs: 1, version: '0.1.0', role: 'admin', facts },
  at: 0,
  good: null,
});

it('sums up the clusters that answer', () => {
  const fleet = [
    seen('up', figures({ mastersUp: 10, workersUp: 98, workers: 100 })),
    seen('up', figures({ mastersUp: 9, workersUp: 100, workers: 100 })),
    seen('down', null),
    null,
  ];
  expect(sumFleet(fleet)).toEqual({ up: 2, masters: 19, workersUp: 198, workers: 200 });
});
it('leaves out what a cluster does not say, as an older master or one that shows somebody a single project', () => {
  expect(sumFleet([seen('up', figures({})), seen('up', figures({ workersUp: 3, workers: 4 }))])).toEqual({
    up: 2,
    masters: null,
    workersUp: 3,
    workers: 4,
  });
  expect(sumFleet([])).toEqual({ up: 0, masters: null, workersUp: null, workers: null });
});
