import { describe, expect, it } from 'vitest';
import type { RuleDraft } from '../../contract/alert-rules.ts';
import type { AlertRig } from '../testing/alert-rules.fixture.ts';
import { admin, alertRigs, rule } from '../testing/alerts.fixture.ts';

const { closes, open, wired } = alertRigs();
const states = (rig: AlertRig) =>
  rig.alerts
    .list({ page: 0, size: 500 })
    .items.map(({ labels, state }) => `${labels['job'] ?? labels['alertname'] ?? ''}:${state}`);

describe('a rule', () => {
  it('has one alert for each label set, told with its labels, value and times', async () => {
    const { rig, hook, at, id } = await wired({ rule: { labels: { team: 'shop' }, severity: 'critical' } });
    at(['a', 9], ['b', 1], ['c', 7]);
    await rig.run();
    expect(states(rig)).toEqual(expect.arrayContaining(['a:Alerting', 'c:Alerting']));
    expect(rig.alerts.rules.get(id)).toMatchObject({
      state: 'Alerting',
      firing: 2,
      lastSeries: 3,
      lastError: null,
      skipped: 0,
    });
    const first = hook.received[0] as (typeof hook.received)[number];
    expect(first.body).toMatchObject({
      receiver: 'Hook',
      status: 'firing',
      state: 'alerting',
      version: '1',
      orgId: 1,
      truncatedAlerts: 0,
      externalURL: 'http://master:8700',
      groupLabels: { alertname: 'Too many' },
      commonLabels: { alertname: 'Too many', severity: 'critical', team: 'shop' },
      groupKey: '{}:{alertname="Too many"}',
      title: '[FIRING:2] Too many',
    });
    const [alert] = first.body['alerts'] as Record<string, unknown>[];
    expect(alert).toMatchObject({
      status: 'firing',
      labels: { job: 'a' },
      annotations: { summary: 'a is at 9' },
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '0001-01-01T00:00:00Z',
      values: { B: 9 },
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it('waits for its `for`, keeps firing as told, and resolves', async () => {
    const { rig, at, told } = await wired({ rule: { forSeconds: 20, keepFiringSeconds: 30 } });
    at(['a', 9]);
    await rig.run();
    expect(states(rig)).toEqual(['a:Pending']);
    await rig.run(10);
    expect(told()).toEqual([]);
    await rig.run(10);
    expect(told()).toEqual(['firing a:firing']);
    at(['a', 1]);
    await rig.run(10);
    expect(states(rig)).toEqual(['a:Recovering']);
    await rig.run(30);
    await rig.run(10);
    expect(told()).toEqual(['firing a:firing', 'resolved a:resolved']);
    expect(states(rig)).toEqual([]);
  });

  it('that finds nothing, or fails, raises an alert about itself or does what it says', async () => {
    const { rig, told, at, id } = await wired({ rule: { noData: 'NoData' } });
    await rig.run();
    // Its series may not be there yet: once is nothing.
    expect(states(rig)).toEqual(['DatasourceNoData:Pending']);
    expect(told()).toEqual([]);
    await rig.run(10);
    expect(states(rig)).toEqual(['DatasourceNoData:NoData']);
    rig.world.fails = new Error('the disk is gone');
    await rig.run(10);
    expect(rig.alerts.rules.get(id).lastError).toBe('the disk is gone');
    rig.world.fails = null;
    at(['a', 9]);
    await rig.run(10);
    await rig.run(10);
    expect(told()[0]).toBe('firing Too many:firing');
    expect(told().join()).toContain('a:firing');
    expect(states(rig)).toEqual(['a:Alerting']);
    await rig.alerts.rules.update(id, { noData: 'KeepLast', onError: 'KeepLast' }, admin);
    at();
    await rig.run(10);
    expect(states(rig)).toEqual(['a:Alerting']);
    await rig.alerts.rules.update(id, { noData: 'OK' }, admin);
    await rig.run(10);
    expect(states(rig)).toEqual([]);
  });

  it('keeps an alert whose series is missing once, and resolves it at the second time', async () => {
    const { rig, at } = await wired();
    at(['a', 9], ['b', 9]);
    await rig.run();
    at(['b', 9]);
    await rig.run(10);
    expect(states(rig)).toContain('a:Alerting');
    await rig.run(10);
    expect(states(rig)).toEqual(['b:Alerting']);
    expect(rig.alerts.history({ page: 0, size: 5, kind: 'state' }).items[0]).toMatchObject({
      from: 'Alerting',
      to: 'Normal',
      reason: 'MissingSeries',
      labels: { job: 'a' },
    });
  });

  it('counts log records; none is a zero', async () => {
    const { rig, told } = await wired({
      rule: {
        name: 'Errors',
        query: { source: 'logs', query: 'level:ERROR' },
        threshold: { op: 'ge', value: 3 },
        noData: 'NoData',
      },
    });
    await rig.run();
    expect(states(rig)).toEqual([]);
    rig.world.records = 3;
    await rig.run(10);
    expect(told()).toEqual(['firing -:firing']);
  });

  it('takes the rows of LogsQL stats as series', async () => {
    const { rig, told } = await wired({
      rule: {
        name: 'Slow',
        query: { source: 'logs', query: 'ms:* | stats by (job) quantile(0.95, ms) p95, count() n | fields job, p95' },
        threshold: { op: 'gt', value: 5 },
      },
    });
    rig.world.rows = [
      { job: 'a', p95: '9.5' },
      { job: 'b', p95: '1' },
      { job: 'c', p95: '' },
    ];
    await rig.run();
    expect(told()).toEqual(['firing a:firing']);
    await expect(
      rig.alerts.rules.create(rule({ name: 'Bad', query: { source: 'logs', query: 'a | stats by (' } }), admin),
    ).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    const { times, series } = await rig.alerts.rules.preview({
      query: { source: 'logs', query: '* | stats by (job) max(ms) m' },
      threshold: { op: 'gt', value: 5 },
    });
    expect(series[0]?.values.filter((value) => value !== null)).toEqual([9.5]);
    expect(series[0]?.values).toHaveLength(times.length);
  });

  it('is never evaluated twice at once: what is late is left out and counted', async () => {
    const { rig, id } = await wired();
    let go = () => {};
    rig.world.hold = new Promise((resolve) => (go = resolve));
    rig.step();
    for (let i = 0; i < 3; i++) {
      rig.clock.advance(10_000);
      rig.step();
    }
    go();
    await rig.settled();
    expect(rig.world.asked).toBe(2); // once to check it, once evaluated
    expect(rig.alerts.rules.get(id).skipped).toBe(3);
  });

  it('that waits for its query does not keep the master from stopping', async () => {
    const { rig } = await wired();
    rig.world.hold = new Promise(() => {});
    rig.step();
    await expect(rig.alerts.close()).resolves.toBeUndefined();
  });

  it('has a limit of time, and of series', async () => {
    const { rig, id, at } = await wired({
      rig: { limits: { alertQuerySeconds: 0.05, alertInstances: 3 } },
      rule: { onError: 'KeepLast' },
    });
    rig.world.hold = new Promise(() => {});
    await rig.run();
    expect(rig.alerts.rules.get(id).lastError).toContain('longer than 0.05 s');
    rig.world.hold = null;
    at(...Array.from({ length: 10 }, (_, i): [string, number] => [`j${i}`, 9]));
    await rig.run(10);
    expect(rig.alerts.rules.get(id).lastError).toContain('10 series');
  });

  it('is checked before it is kept', async () => {
    const rig = await open();
    const bad: [Partial<RuleDraft>, string][] = [
      [{ threshold: { op: 'within', value: 1 } }, '/threshold/upper'],
      [{ labels: { alertname: 'x' } }, '/labels/alertname'],
      [{ annotations: { summary: '{{ $lables.x }}' } }, '/annotations/summary'],
      [{ query: { source: 'engine', signal: 'diskUsed' } }, '/query/source'],
      [
        {
          rangeSeconds: 86_400,
          query: { source: 'metrics', measurement: 'm', field: 'f', aggregate: 'sum', stepSeconds: 1 },
        },
        '/query/stepSeconds',
      ],
    ];
    for (const [over, pointer] of bad)
      await expect(rig.alerts.rules.create(rule(over), admin)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ pointer }],
      });
    await rig.alerts.rules.create(rule(), admin);
    await expect(rig.alerts.rules.create(rule(), admin)).rejects.toMatchObject({ code: 'ALERT_NAME_TAKEN' });
  });

  it('of the product can be changed and switched off, not deleted; changes outlive a restart and are audited', async () => {
    const rig = await open();
    await rig.alerts.rules.update('built-in-store-full', { threshold: { op: 'gt', value: 0.4 }, forSeconds: 0 }, admin);
    await expect(rig.alerts.rules.remove('built-in-store-full', admin)).rejects.toMatchObject({
      code: 'ALERT_BUILT_IN',
    });
    const again = await open({ folder: await rig.crash(), clock: rig.clock });
    closes.splice(closes.length - 2, 1);
    await again.run();
    expect(states(again)).toEqual(['Store nearly full:Alerting']);
    await again.alerts.rules.update('built-in-store-full', { enabled: false }, admin);
    expect(states(again)).toEqual([]);
    expect((await again.access.audit.list({ page: 0, size: 10, action: 'alert-rule.change' })).totalItems).toBe(2);
  });

  it('of the product says what it says today, also where it was changed when it said something else', async () => {
    const rig = await open();
    const id = 'built-in-queue-stuck';
    await rig.alerts.rules.update(
      id,
      { annotations: { summary: '{{ $value }} tasks queued, none running', description: 'Call Ada.' } },
      admin,
    );
    const again = await open({ folder: await rig.crash(), clock: rig.clock });
    closes.splice(closes.length - 2, 1);
    expect(again.alerts.rules.get(id).annotations).toMatchObject({
      summary: 'Tasks queued while none is running: {{ $value }}',
      description: 'Call Ada.',
    });
  });

  it('shows beforehand when it would have fired', async () => {
    const rig = await open();
    rig.world.series = [{ tags: { job: 'a' }, value: 9 }];
    const { times, series, firing } = await rig.alerts.rules.preview({
      query: { source: 'metrics', measurement: 'm', field: 'f', aggregate: 'last', groupBy: ['job'] },
      threshold: { op: 'gt', value: 5 },
    });
    expect(times.length).toBeGreaterThan(50);
    expect(series).toMatchObject([{ labels: { job: 'a' }, firings: 1 }]);
    expect(firing).toBeGreaterThan(0);
    const sums = await rig.alerts.rules.preview({
      query: { source: 'metrics', measurement: 'windows', field: 'f', aggregate: 'sum' },
      threshold: { op: 'gt', value: 1 },
      rangeSeconds: 300,
      intervalSeconds: 60,
    });
    expect(sums.series[0]?.values.slice(10, 13)).toEqual([15, 15, 15]); // five windows of three
  });
});
