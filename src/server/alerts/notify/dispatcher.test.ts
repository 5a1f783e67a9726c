import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAlertRig } from '../../testing/alert-rules.fixture.ts';
import { admin, alertRigs, quick } from '../../testing/alerts.fixture.ts';

const { closes, open, receiver, wired } = alertRigs();

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
    const { rig, at, told } = await wired({
      policy: { ...quick, groupIntervalSeconds: 60, repeatIntervalSeconds: 600 },
    });
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
    const { id } = await rig.alerts.silences.create(
      { matchers: [{ name: 'job', op: '=~', value: 'a|b' }], comment: 'moving house', durationSeconds: 100 },
      { ...admin, role: 'operator' },
    );
    at(['a', 9]);
    await rig.run();
    await rig.run(30);
    expect(told()).toEqual([]);
    expect(rig.alerts.list({ page: 0, size: 1 }).items[0]).toMatchObject({ silencedBy: [id] });
    expect([true, false].map((heldBack) => rig.alerts.list({ page: 0, size: 1, heldBack }).totalItems)).toEqual([1, 0]);
    expect(rig.alerts.silences.list({ page: 0, size: 5 }).items).toMatchObject([
      { state: 'active', alerts: 1, createdBy: 'ada' },
    ]);
    await rig.run(80);
    expect(told()).toEqual(['firing a:firing']);
    await rig.alerts.silences.create(
      { matchers: [{ name: 'job', op: '=', value: 'a' }], comment: 'again', durationSeconds: 1000 },
      admin,
    );
    at(['a', 1]);
    await rig.run(10);
    await rig.run(10);
    expect(told()).toEqual(['firing a:firing', 'resolved a:resolved']);
  });

  it('is kept back while the cause of it is told: no worker at all', async () => {
    const rig = await open();
    const hook = await receiver();
    const { id } = await rig.alerts.channels.create(
      { name: 'Hook', kind: 'webhook', settings: { url: hook.url } },
      admin,
    );
    await rig.alerts.policy.put({ ...quick, channels: [id] }, admin);
    for (const rule of ['built-in-cluster-down', 'built-in-worker-down', 'built-in-queue-stuck'])
      await rig.alerts.rules.update(rule, { forSeconds: 0 }, admin);
    Object.assign(rig.world, {
      workers: { total: 50, down: 50 },
      queue: 9,
      lost: Array.from({ length: 50 }, (_, i) => ({
        id: `w${i}`,
        url: `http://w${i}`,
        since: rig.clock.now() - 20_000,
      })),
    });
    for (let i = 0; i < 4; i++) await rig.run(10);
    expect(hook.received.map(({ body }) => body['title'])).toEqual(['[FIRING:1] No worker answers']);
    expect(rig.alerts.list({ page: 0, size: 5, q: 'w7' }).items[0]?.inhibitedBy).toHaveLength(1);
    Object.assign(rig.world, { workers: { total: 50, down: 1 }, queue: 0, lost: rig.world.lost.slice(0, 1) });
    for (let i = 0; i < 4; i++) await rig.run(10);
    expect(hook.received.map(({ body }) => body['title']).sort()).toEqual([
      '[FIRING:1] No worker answers',
      '[FIRING:1] Worker down',
      '[RESOLVED:1] No worker answers',
    ]);
  });

  it('has its turns where hundreds begin and end at once, each a group of its own', async () => {
    const { rig, at, told } = await wired({ policy: { groupBy: ['...'] } });
    const MANY = 90;
    // What is written in one turn of the event loop is one transaction, which holds it.
    let written = 0;
    let most = 0;
    const { write } = rig.store;
    const counting: typeof write = (run) => {
      if (written++ === 0) setImmediate(() => (written = 0));
      most = Math.max(most, written);
      return write.call(rig.store, run) as never;
    };
    Object.assign(rig.store, { write: counting });
    for (const [value, word] of [
      [9, 'firing'],
      [1, 'resolved'],
    ] as const) {
      at(...Array.from({ length: MANY }, (_, i): [string, number] => [`j${i}`, value]));
      for (let i = 0; i < 40 && told().filter((text) => text.startsWith(word)).length < MANY; i++) await rig.run(10);
      expect(new Set(told().filter((text) => text.startsWith(word))).size).toBe(MANY);
    }
    expect(told()).toHaveLength(2 * MANY);
    expect(most).toBeLessThanOrEqual(40);
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
    expect(rig.alerts.history({ page: 0, size: 5, kind: 'notification' }).items[0]).toMatchObject({
      reason: 'Superseded',
    });
  });

  it('leaves nothing behind in the store, though that refused to forget it, then or by an earlier master', async () => {
    const { rig, at, hook } = await wired();
    const left = () =>
      rig.store.read
        .query<{ n: number }>('SELECT (SELECT count(*) FROM alert_outbox) + (SELECT count(*) FROM alert_group) AS n')
        .get()?.n;
    hook.state.status = 500;
    at(['a', 9]);
    await rig.run();
    expect(left()).toBe(2);
    const { write } = rig.store;
    Object.assign(rig.store, { write: () => Promise.reject(new Error('the disk is full')) });
    at(['a', 1]);
    await rig.run(10);
    await rig.run(10);
    expect(rig.alerts.stats().waiting).toBe(0);
    Object.assign(rig.store, { write });
    await rig.run(10);
    await rig.run(10);
    expect(left()).toBe(0);
    await rig.store.write((db) =>
      db.statement("INSERT INTO alert_outbox (group_key, id, message) VALUES ('gone', 'x', '{}')").run(),
    );
    const next = await openAlertRig({ folder: await rig.crash(), clock: rig.clock });
    closes[0] = () => next.close();
    await next.run();
    await next.run(10);
    expect(next.store.read.query<{ n: number }>('SELECT count(*) AS n FROM alert_outbox').get()?.n).toBe(0);
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
    const step = fc.record({
      firing: fc.subarray(['a', 'b', 'c']),
      up: fc.boolean(),
      silence: fc.boolean(),
      kill: fc.boolean(),
      seconds: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { rig, hook } = await wired();
        let now = rig;
        for (const { firing, up, silence, kill, seconds } of steps) {
          hook.state.status = up ? 200 : 503;
          now.world.series = ['a', 'b', 'c'].map((job) => ({ tags: { job }, value: firing.includes(job) ? 9 : 1 }));
          if (silence)
            await now.alerts.silences.create(
              { matchers: [{ name: 'job', op: '=', value: 'a' }], comment: 'x', durationSeconds: 20 },
              admin,
            );
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
