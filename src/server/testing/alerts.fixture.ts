import { afterEach } from 'vitest';
import type { PolicyBody } from '../../contract/alert-channels.ts';
import type { RuleDraft } from '../../contract/alert-rules.ts';
import { openAlertRig, startReceiver, type AlertRig } from './alert-rules.fixture.ts';
import type { Actor } from '../workflows/port.ts';

export const admin: Actor = { name: 'ada', role: 'admin', address: null };
export const rule = (over: Partial<RuleDraft> = {}): RuleDraft => ({
  name: 'Too many',
  query: { source: 'metrics', measurement: 'm', field: 'f', aggregate: 'last', groupBy: ['job'] },
  threshold: { op: 'gt', value: 5 },
  intervalSeconds: 10,
  forSeconds: 0,
  noData: 'OK',
  annotations: { summary: '{{ $labels.job }} is at {{ $value }}' },
  ...over,
});
/** Tells at once. */
export const quick: PolicyBody = { groupWaitSeconds: 0, groupIntervalSeconds: 10, repeatIntervalSeconds: 3600 };

/** Rigs and hooks that end with the test that opened them. */
export function alertRigs() {
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
  /** A rig with one rule, and a hook that is told at once. */
  async function wired(
    over: { rule?: Partial<RuleDraft>; policy?: PolicyBody; rig?: Parameters<typeof openAlertRig>[0] } = {},
  ) {
    const rig = await open(over.rig);
    const hook = await receiver();
    const { id: channel } = await rig.alerts.channels.create(
      { name: 'Hook', kind: 'webhook', settings: { url: hook.url } },
      admin,
    );
    await rig.alerts.policy.put({ ...quick, ...over.policy, channels: [channel] }, admin);
    const { id } = await rig.alerts.rules.create(rule(over.rule), admin);
    const told = () =>
      hook.received.map(
        ({ body }) =>
          `${String(body['status'])} ${(body['alerts'] as { status: string; labels: Record<string, string> }[]).map(({ status, labels }) => `${labels['job'] ?? labels['rulename'] ?? '-'}:${status}`).join(' ')}`,
      );
    const at = (...series: [string, number][]) =>
      (rig.world.series = series.map(([job, value]) => ({ tags: { job }, value })));
    return { rig, hook, channel, id, told, at };
  }
  /**
   * Writes nothing more to the store from the moment that `when` says so at a write. What this gives waits for that, kills
   * the master there, and starts another one on what the database holds.
   */
  function killWhen(rig: AlertRig, when: () => boolean): () => Promise<AlertRig> {
    const { write } = rig.store;
    const lost: ((error: Error) => void)[] = [];
    let reached = () => {};
    const over = new Promise<void>((resolve) => (reached = resolve));
    let killed = false;
    const cut: typeof write = (...given) => {
      killed ||= when();
      if (!killed) return write.apply(rig.store, given as never) as never;
      reached();
      return new Promise((_, reject) => lost.push(reject));
    };
    Object.assign(rig.store, { write: cut });
    return async () => {
      await over;
      const { series } = rig.world;
      const left = rig.crash();
      for (const lose of lost) lose(new Error('killed'));
      closes.splice(0, 1);
      const next = await openAlertRig({ folder: await left, clock: rig.clock });
      closes.unshift(() => next.close());
      next.world.series = series;
      return next;
    };
  }
  return { open, receiver, wired, killWhen, /** What else ends with the test. */ closes };
}
