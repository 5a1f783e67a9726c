import { expect, it } from 'vitest';
import { fakeMaster } from '../process-io.fake.ts';
import { matcherIn, secondsIn } from './alerts.ts';

it.each([
  ['alertname=Worker down', { name: 'alertname', op: '=', value: 'Worker down' }],
  ['worker_id=~w1.*', { name: 'worker_id', op: '=~', value: 'w1.*' }],
  ['env!=dev', { name: 'env', op: '!=', value: 'dev' }],
  ['env!~"dev|staging"', { name: 'env', op: '!~', value: 'dev|staging' }],
  ['empty=', { name: 'empty', op: '=', value: '' }],
])('reads the matcher %s', (text, matcher) => expect(matcherIn(text)).toEqual(matcher));

it.each(['', 'name', '=x', '1a=x', 'a b=c'])('refuses the matcher "%s"', (text) =>
  expect(() => matcherIn(text)).toThrowError(/expected a matcher/),
);

it.each([
  ['90s', 90],
  ['2h', 7200],
  ['7d', 604_800],
])('reads %s', (text, seconds) => expect(secondsIn(text)).toBe(seconds));
it.each(['', '5', 'h', '1.5h', '-1h'])('refuses the duration "%s"', (text) =>
  expect(() => secondsIn(text)).toThrowError(/expected a duration/),
);

const alert = {
  id: 'r:0123456789abcdef',
  fingerprint: '0123456789abcdef',
  ruleId: 'r',
  ruleName: 'Slow',
  state: 'Alerting',
  severity: 'warning',
  labels: { job: 'a' },
  annotations: {},
  value: 9,
  activeAt: 'T',
  startsAt: 'T',
  endsAt: null,
  lastEvaluatedAt: 'T',
  reason: null,
  silencedBy: [],
  inhibitedBy: [],
  acknowledged: { at: 'T2', by: 'ann', note: 'mine' },
};
const asked: unknown[] = [];
const master = fakeMaster(({ method, path, body }) => {
  asked.push([method, path, body]);
  return method === 'GET'
    ? { items: [alert], page: 0, size: 20, totalItems: 1, totalPages: 1 }
    : method === 'DELETE'
      ? { ...alert, acknowledged: null }
      : alert;
});

it('acknowledges an alert, says so in the list, and takes it back', async () => {
  const path = '/api/v1/alerts/r:0123456789abcdef/acknowledgement';
  expect((await master.yardmaster(['alerts', 'acknowledge', alert.id, '--note', 'mine'])).out).toBe(
    'acknowledged by ann: Slow job=a',
  );
  expect((await master.yardmaster(['alerts', 'list'])).out).toContain('ann, T2: mine');
  expect((await master.yardmaster(['alerts', 'unacknowledge', alert.id])).out).toBe(
    'acknowledgement removed: Slow job=a',
  );
  expect(asked).toEqual([
    ['POST', path, '{"note":"mine"}'],
    ['GET', '/api/v1/alerts', ''],
    ['DELETE', path, ''],
  ]);
});
