import { expect, test } from 'vitest';
import { firstAlertLink, alertLinks } from './links.ts';

const at = { activeAt: '2026-01-01T11:59:00.000Z', startsAt: '2026-01-01T12:00:00.000Z', endsAt: null };
const hrefs = (labels: Record<string, string>) =>
  Object.fromEntries(alertLinks({ ...at, labels }).map(({ name, href }) => [name, decodeURIComponent(href)]));

test('an alert of a workflow leads to its failures, failed jobs, versions and logs, from ten minutes before', () => {
  expect(hrefs({ workflow_id: 'shout', environment: 'prod' })).toEqual({
    Failures: '/failures?workflow=shout&environment=prod',
    'Jobs failed since then': '/jobs?workflow=shout&environment=prod&status=FAILED&from=2026-01-01T11:50:00.000Z',
    'Workflow and versions': '/workflows/shout?tab=publish',
    'Logs from that time': '/logs?from=2026-01-01T11:50:00.000Z',
  });
});

test('one of a worker or a job leads there', () => {
  expect(hrefs({ worker_id: 'w-1' })).toEqual({
    Worker: '/workers?worker=w-1',
    'Logs from that time': '/logs?from=2026-01-01T11:50:00.000Z&worker=w-1',
  });
  expect(hrefs({ job_id: 'j-1' })['Job']).toBe('/jobs/j-1');
});

test('one that ended leads to what was until then', () => {
  expect(
    alertLinks({ activeAt: at.activeAt, startsAt: at.startsAt, endsAt: '2026-01-01T12:30:00.000Z', labels: {} }).map(
      ({ href }) => decodeURIComponent(href),
    ),
  ).toEqual(['/logs?from=2026-01-01T11:50:00.000Z&to=2026-01-01T12:30:00.000Z']);
});

test('what a label holds cannot lead elsewhere', () => {
  expect(alertLinks({ ...at, labels: { job_id: '../../x?y=1', environment: 'nowhere' } })[0]?.href).toBe(
    '/jobs/..%2F..%2Fx%3Fy%3D1',
  );
});

test('every alert leads somewhere first: to the failures of its workflow, or to the logs of its time', () => {
  expect(firstAlertLink({ ...at, labels: { workflow_id: 'shout', environment: 'prod' } })).toBe(
    '/failures?workflow=shout&environment=prod',
  );
  expect(firstAlertLink({ ...at, labels: {} })).toMatch(/^\/logs\?from=/);
});
