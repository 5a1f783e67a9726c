import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { PolicyBody, RuleDraft } from '../../contract/api-alerts.ts';
import type { Actor } from '../workflows/port.ts';
import { openAlertRig, startReceiver, type AlertRig } from '../testing/alert-rig.ts';

const admin: Actor = { name: 'ada', role: 'admin', address: null };
const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});
const open = async (over: Parameters<typeof openAlertRig>[0] = {}): Promise<AlertRig> => {
  const rig = await openAlertRig(over);
  closes.push(() => rig.close());
  return rig;
};
const receiver = async () => {
  const made = await startReceiver();
  closes.push(made.close);
  return made;
};
const rule = (over: Partial<RuleDraft> = {}): RuleDraft => ({ name: 'Too many', query: { source: 'metrics', measurement: 'm', field: 'f', aggregate: 'last', groupBy: ['job'] }, threshold: { op: 'gt', value: 5 }, intervalSeconds: 10, forSeconds: 0, noData: 'OK', annotations: { summary: '{{ $labels.job }} is at {{ $value }}' }, ...over });
const quick: PolicyBody = { groupWaitSeconds: 0, groupIntervalSeconds: 10, repeatIntervalSeconds: 3600 };

/** A rig with one rule, and a hook that is told at once. */
async function wired(over: { rule?: Partial<RuleDraft>; policy?: PolicyBody; rig?: Parameters<typeof openAlertRig>[0] } = {}) {
  const rig = await open(over.rig);
  const hook = await receiver();
  const { id: channel } = await rig.alerts.channels.create({ name: 'Hook', kind: 'webhook', settings: { url: hook.url } }, admin);
  await rig.alerts.policy.put({ ...quick, ...over.policy, channels: [channel] }, admin);
  const { id } = await rig.alerts.rules.create(rule(over.rule), admin);
  const told = () => hook.received.map(({ body }) => `${String(body['status'])} ${(body['alerts'] as { status: string; labels: Record<string, string> }[]).map(({ status, labels }) => `${labels['job'] ?? labels['rulename'] ?? '-'}:${status}`).join(' ')}`);
  const at = (...series: [string, number][]) => (rig.world.series = series.map(([job, value]) => ({ tags: { job }, value })));
  return { rig, hook, channel, id, told, at };
}
const states = (rig: AlertRig) => rig.alerts.list({ page: 0, size: 500 }).items.map(({ labels, state }) => `${labels['job'] ?? labels['alertname'] ?? ''}:${state}`);

describe('a rule', () => {
  it('has one alert for each label set, told with its labels, value and times', async () => {
    const { rig, hook, at, id } = await wired({ rule: { labels: { team: 'shop' }, severity: 'critical' } });
    at(['a', 9], ['b', 1], ['c', 7]);
    await rig.run();
    expect(states(rig)).toEqual(expect.arrayContaining(['a:Alerting', 'c:Alerting']));
    expect(rig.alerts.rules.get(id)).toMatchObject({ state: 'Alerting', firing: 2, lastSeries: 3, lastError: null, skipped: 0 });
    const first = hook.received[0] as (typeof hook.received)[number];
    expect(first.body).toMatchObject({
      receiver: 'Hook', status: 'firing', state: 'alerting', version: '1', orgId: 1, truncatedAlerts: 0, externalURL: 'http://master:8700',
      groupLabels: { alertname: 'Too many' }, commonLabels: { alertname: 'Too many', severity: 'critical', team: 'shop' }, groupKey: '{}:{alertname="Too many"}', title: '[FIRING:2] Too many',
    });
    const [alert] = first.body['alerts'] as Record<string, unknown>[];
    expect(alert).toMatchObject({ status: 'firing', labels: { job: 'a' }, annotations: { summary: 'a is at 9' }, startsAt: '2026-01-01T00:00:00.000Z', endsAt: '0001-01-01T00:00:00Z', values: { B: 9 }, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) });
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
    expect(rig.alerts.history({ page: 0, size: 5, kind: 'state' }).items[0]).toMatchObject({ from: 'Alerting', to: 'Normal', reason: 'MissingSeries', labels: { job: 'a' } });
  });

  it('counts log records; none is a zero', async () => {
    const { rig, told } = await wired({ rule: { name: 'Errors', query: { source: 'logs', query: 'level:ERROR' }, threshold: { op: 'ge', value: 3 }, noData: 'NoData' } });
    await rig.run();
    expect(states(rig)).toEqual([]);
    rig.world.records = 3;
    await rig.run(10);
    expect(told()).toEqual(['firing -:firing']);
  });

  it('takes the rows of LogsQL stats as series', async () => {
    const { rig, told } = await wired({ rule: { name: 'Slow', query: { source: 'logs', query: 'ms:* | stats by (job) quantile(0.95, ms) p95, count() n | fields job, p95' }, threshold: { op: 'gt', value: 5 } } });
    rig.world.rows = [{ job: 'a', p95: '9.5' }, { job: 'b', p95: '1' }, { job: 'c', p95: '' }];
    await rig.run();
    expect(told()).toEqual(['firing a:firing']);
    await expect(rig.alerts.rules.create(rule({ name: 'Bad', query: { source: 'logs', query: 'a | stats by (' } }), admin)).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    const { times, series } = await rig.alerts.rules.preview({ query: { source: 'logs', query: '* | stats by (job) max(ms) m' }, threshold: { op: 'gt', value: 5 } });
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

  it('has a limit of time, and of series', async () => {
    const { rig, id, at } = await wired({ rig: { limits: { alertQuerySeconds: 0.05, alertInstances: 3 } }, rule: { onError: 'KeepLast' } });
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
      [{ rangeSeconds: 86_400, query: { source: 'metrics', measurement: 'm', field: 'f', aggregate: 'sum', stepSeconds: 1 } }, '/query/stepSeconds'],
    ];
    for (const [over, pointer] of bad) await expect(rig.alerts.rules.create(rule(over), admin)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer }] });
    await rig.alerts.rules.create(rule(), admin);
    await expect(rig.alerts.rules.create(rule(), admin)).rejects.toMatchObject({ code: 'ALERT_NAME_TAKEN' });
  });

  it('of the product can be changed and switched off, not deleted; changes outlive a restart and are audited', async () => {
    const rig = await open();
    await rig.alerts.rules.update('built-in-store-full', { threshold: { op: 'gt', value: 0.4 }, forSeconds: 0 }, admin);
    await expect(rig.alerts.rules.remove('built-in-store-full', admin)).rejects.toMatchObject({ code: 'ALERT_BUILT_IN' });
    const again = await open({ folder: await rig.crash(), clock: rig.clock });
    closes.splice(closes.length - 2, 1);
    await again.run();
    expect(states(again)).toEqual(['Store nearly full:Alerting']);
    await again.alerts.rules.update('built-in-store-full', { enabled: false }, admin);
    expect(states(again)).toEqual([]);
    expect((await again.access.audit.list({ page: 0, size: 10, action: 'alert-rule.change' })).totalItems).toBe(2);
  });

  it('shows beforehand when it would have fired', async () => {
    const rig = await open();
    rig.world.series = [{ tags: { job: 'a' }, value: 9 }];
    const { times, series, firing } = await rig.alerts.rules.preview({ query: { source: 'metrics', measurement: 'm', field: 'f', aggregate: 'last', groupBy: ['job'] }, threshold: { op: 'gt', value: 5 } });
    expect(times.length).toBeGreaterThan(50);
    expect(series).toMatchObject([{ labels: { job: 'a' }, firings: 1 }]);
    expect(firing).toBeGreaterThan(0);
  });
});

describe('what is told', () => {
  it('is one message for a storm, and one when it is over', async () => {
    const { rig, at, hook, told } = await wired({ rig: { limits: { alertMessageAlerts: 5 } } });
    at(...Array.from({ length: 800 }, (_, i): [string, number] => [`j${i}`, 9]));
    for (let i = 0; i < 20; i++) await rig.run(10);
    expect(hook.received).toHaveLength(1);
    expect(hook.received[0]?.body).toMatchObject({ title: '[FIRING:800] Too many', truncatedAlerts: 795 });
    at();
    for (let i = 0; i < 5; i++) await rig.run(10);
    expect(told().map((line) => line.split(' ')[0])).toEqual(['firing', 'resolved']);
  });

  it('says what joins and what leaves, at the ticks of the group, and repeats what stays', async () => {
    const { rig, at, told } = await wired({ policy: { ...quick, groupIntervalSeconds: 60, repeatIntervalSeconds: 600 } });
    at(['a', 9]);
    await rig.run();
    at(['a', 9], ['b', 9]);
    await rig.run(10);
    expect(told()).toEqual(['firing a:firing']);
    await rig.run(50);
    expect(told()).toEqual(['firing a:firing', 'firing a:firing b:firing']);
    at(['a', 1], ['b', 9]);
    await rig.run(10);
    await rig.run(50);
    expect(told().at(-1)).toBe('firing b:firing a:resolved');
    for (let i = 0; i < 9; i++) await rig.run(60);
    expect(told()).toHaveLength(3);
    await rig.run(60);
    expect(told()).toHaveLength(4);
    expect(told().at(-1)).toBe('firing b:firing');
  });

  it('is kept back by a silence and told at its end where it still fires; an end is told to whoever knows of it', async () => {
    const { rig, at, told } = await wired();
    const { id } = await rig.alerts.silences.create({ matchers: [{ name: 'job', op: '=~', value: 'a|b' }], comment: 'moving house', durationSeconds: 100 }, { ...admin, role: 'operator' });
    at(['a', 9]);
    await rig.run();
    await rig.run(30);
    expect(told()).toEqual([]);
    expect(rig.alerts.list({ page: 0, size: 1 }).items[0]).toMatchObject({ silencedBy: [id] });
    expect(rig.alerts.silences.list({ page: 0, size: 5 }).items).toMatchObject([{ state: 'active', alerts: 1, createdBy: 'ada' }]);
    await rig.run(80);
    expect(told()).toEqual(['firing a:firing']);
    await rig.alerts.silences.create({ matchers: [{ name: 'job', op: '=', value: 'a' }], comment: 'again', durationSeconds: 1000 }, admin);
    at(['a', 1]);
    await rig.run(10);
    await rig.run(10);
    expect(told()).toEqual(['firing a:firing', 'resolved a:resolved']);
  });

  it('is kept back while the cause of it is told: no worker at all', async () => {
    const rig = await open();
    const hook = await receiver();
    const { id } = await rig.alerts.channels.create({ name: 'Hook', kind: 'webhook', settings: { url: hook.url } }, admin);
    await rig.alerts.policy.put({ ...quick, channels: [id] }, admin);
    for (const rule of ['built-in-cluster-down', 'built-in-worker-down', 'built-in-queue-stuck']) await rig.alerts.rules.update(rule, { forSeconds: 0 }, admin);
    Object.assign(rig.world, { workers: { total: 50, down: 50 }, queue: 9, lost: Array.from({ length: 50 }, (_, i) => ({ id: `w${i}`, url: `http://w${i}`, since: rig.clock.now() - 20_000 })) });
    for (let i = 0; i < 4; i++) await rig.run(10);
    expect(hook.received.map(({ body }) => body['title'])).toEqual(['[FIRING:1] No worker answers']);
    expect(rig.alerts.list({ page: 0, size: 5, q: 'w7' }).items[0]?.inhibitedBy).toHaveLength(1);
    Object.assign(rig.world, { workers: { total: 50, down: 1 }, queue: 0, lost: rig.world.lost.slice(0, 1) });
    for (let i = 0; i < 4; i++) await rig.run(10);
    expect(hook.received.map(({ body }) => body['title']).sort()).toEqual(['[FIRING:1] No worker answers', '[FIRING:1] Worker down', '[RESOLVED:1] No worker answers']);
  });

  it('reaches a receiver that was away exactly once', async () => {
    const { rig, at, hook, told, channel } = await wired();
    hook.state.status = 503;
    at(['a', 9]);
    for (let i = 0; i < 10; i++) await rig.run(10);
    expect(told()).toEqual([]);
    expect(rig.alerts.channels.get(channel)).toMatchObject({ waiting: 1, lastError: '503 ok' });
    hook.state.status = 200;
    for (let i = 0; i < 30; i++) await rig.run(10);
    expect(told()).toEqual(['firing a:firing']);
    const sent = rig.alerts.history({ page: 0, size: 50, kind: 'notification' }).items;
    expect(sent[0]).toMatchObject({ ok: true, channelName: 'Hook', status: 'firing', firing: 1 });
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.slice(1).every(({ ok }) => ok === false)).toBe(true);
  });

  it('is not told at all where it was over before the receiver came back', async () => {
    const { rig, at, hook, told } = await wired();
    hook.state.status = 500;
    at(['a', 9]);
    await rig.run();
    at(['a', 1]);
    await rig.run(10);
    await rig.run(10);
    hook.state.status = 200;
    for (let i = 0; i < 30; i++) await rig.run(10);
    expect(told()).toEqual([]);
    expect(rig.alerts.history({ page: 0, size: 5, kind: 'notification' }).items[0]).toMatchObject({ reason: 'Superseded' });
  });

  it('is told twice to nobody, whenever the master is killed', async () => {
    const { rig, at, hook, told } = await wired({ rule: { forSeconds: 20 } });
    let now = rig;
    at(['a', 9]);
    const kill = async () => {
      const { series } = now.world;
      const next = await openAlertRig({ folder: await now.crash(), clock: now.clock });
      closes[0] = () => next.close();
      next.world.series = series;
      now = next;
    };
    for (let i = 0; i < 6; i++) {
      await now.run(10);
      await kill();
    }
    expect(told()).toEqual(['firing a:firing']);
    now.world.series = [{ tags: { job: 'a' }, value: 1 }];
    hook.state.status = 503;
    await now.run(10);
    await kill();
    hook.state.status = 200;
    for (let i = 0; i < 6; i++) {
      await now.run(10);
      await kill();
    }
    expect(told()).toEqual(['firing a:firing', 'resolved a:resolved']);
  });

  it('is in the end what holds, whatever fired, was silenced, failed or was killed in between', async () => {
    const step = fc.record({ firing: fc.subarray(['a', 'b', 'c']), up: fc.boolean(), silence: fc.boolean(), kill: fc.boolean(), seconds: fc.integer({ min: 1, max: 40 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { rig, hook } = await wired();
        let now = rig;
        for (const { firing, up, silence, kill, seconds } of steps) {
          hook.state.status = up ? 200 : 503;
          now.world.series = ['a', 'b', 'c'].map((job) => ({ tags: { job }, value: firing.includes(job) ? 9 : 1 }));
          if (silence) await now.alerts.silences.create({ matchers: [{ name: 'job', op: '=', value: 'a' }], comment: 'x', durationSeconds: 20 }, admin);
          await now.run(seconds);
          if (!kill) continue;
          const { series } = now.world;
          now = await openAlertRig({ folder: await now.crash(), clock: now.clock });
          now.world.series = series;
        }
        hook.state.status = 200;
        for (let i = 0; i < 40; i++) await now.run(10);
        /** What the receiver believes, from its messages alone; it must never be told twice in a row that the same fires. */
        const known = new Set<string>();
        for (const { body } of hook.received)
          for (const { status, labels } of body['alerts'] as { status: string; labels: Record<string, string> }[]) {
            if (status === 'firing') known.add(labels['job'] ?? '');
            else expect(known.delete(labels['job'] ?? '')).toBe(true);
          }
        expect([...known].sort()).toEqual([...(steps.at(-1)?.firing ?? [])].sort());
        await now.close();
        closes.splice(0, 1);
        for (const close of closes.splice(0)) await close();
      }),
      { numRuns: 12 },
    );
  });
});
