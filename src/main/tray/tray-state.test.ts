import { expect, test } from 'vitest';
import type { ClusterFigures } from '../../contract/desktop.ts';
import { downStatus } from '../../lib/fleet.ts';
import type { LocalStatus } from '../../contract/ipc.ts';
import { trayState } from './tray-state.ts';

const facts: ClusterFigures = {
  queued: 3,
  runningTasks: 1,
  runningJobs: 0,
  failedLastHour: 0,
  workersUp: 1,
  workers: 1,
  mastersUp: 1,
  masters: 1,
  alertsFiring: 0,
};
const look = (change: Partial<ClusterFigures> = {}) => ({
  ...downStatus(''),
  state: 'up' as const,
  facts: { ...facts, ...change },
});
const local = (state: LocalStatus['state']): LocalStatus => ({
  state,
  url: null,
  pid: null,
  adopted: false,
  dataFolder: '',
  since: '',
  restarts: 0,
  message: null,
  code: null,
  ports: null,
  lines: [],
});

test('the icon tells the worst: failing, running, idle, off', () => {
  const icon = (...args: Parameters<typeof trayState>) => trayState(...args).icon;
  expect(icon('Prod', look(), null)).toBe('idle');
  expect(icon('Prod', look({ runningJobs: 1 }), null)).toBe('running');
  expect(icon('Prod', look({ runningJobs: 1, failedLastHour: 1 }), null)).toBe('failing');
  expect(icon('Prod', look({ alertsFiring: 1 }), null)).toBe('failing');
  expect(icon('Prod', downStatus('no response within 5 s'), null)).toBe('off');
  expect(icon('Prod', null, null)).toBe('off');
});

test('the counts are said, and each leads to its page', () => {
  const { tooltip, lines } = trayState('Prod', look({ runningJobs: 1, failedLastHour: 1200, alertsFiring: 2 }), null);
  expect(tooltip).toBe('Yardmaster, Prod: 1 job running, 1,200 failed in the last hour, 2 alerts firing');
  expect(lines).toEqual([
    { label: '1 job running, 3 tasks waiting', path: '/jobs' },
    { label: '1,200 failed in the last hour', path: '/failures' },
    { label: '2 alerts firing', path: '/alerts' },
  ]);
});

test('a cluster that does not answer says why', () => {
  expect(trayState('Prod', downStatus('no response within 5 s'), null).tooltip).toContain('no response within 5 s');
  expect(trayState('This machine', downStatus('x'), local('starting')).lines[0]?.label).toBe(
    'This machine: the local master is starting',
  );
  expect(trayState('This machine', downStatus('x'), local('failed')).lines[0]?.label).toBe(
    'This machine: the local master failed to start',
  );
  expect(trayState('Prod', downStatus('x'.repeat(200)), null).tooltip).toHaveLength(127);
});
