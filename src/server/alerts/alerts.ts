import { paginate } from '../../lib/page.ts';
import { parseStored } from '../../lib/json.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import type { Policy } from '../../contract/alert-channels.ts';
import type { Alert, AlertEvent } from '../../contract/alerts.ts';
import type { Limits } from '../../contract/limits.ts';
import { isHeldBack } from '../../contract/vocabulary.ts';
import { every, iso, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { Access } from '../access/port.ts';
import type { Feed } from '../feed/port.ts';
import { isFiring } from '../state-machines/alert.ts';
import type { Cipher } from '../secrets/port.ts';
import type { Store } from '../store/port.ts';
import { createAcknowledgements } from './acknowledgements.ts';
import { alertId, alertView, loadRules, notifiedAlert, compareSeverity, type Rule } from './alert-state.ts';
import { createChannels, previewTemplate } from './channels.ts';
import { isVisibleChange, type Change, type Instance } from './evaluate.ts';
import { createEvaluator, withTimeout } from './evaluator.ts';
import type { Labels } from './fingerprint.ts';
import { deleteOldHistory, listHistory } from './history.ts';
import { bounded, createMatching, type Matches } from './matchers.ts';
import { createDispatcher } from './notify/dispatcher.ts';
import { send, type ScreenNotification } from './notify/send.ts';
import { compilePolicy, withPolicyDefaults } from './policy.ts';
import type { Alerts } from './port.ts';
import { previewRule } from './preview.ts';
import { createRules } from './rules.ts';
import { createSilences } from './silences.ts';
import { querySamples, type AlertSources } from './sources.ts';
import { testChannel } from './test-channel.ts';

export interface AlertsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Limits>;
  readonly feed: Pick<Feed, 'publish'>;
  readonly record: Access['audit']['record'];
  /** Encrypts the secrets of channels. */
  readonly cipher: Cipher;
  readonly sources: AlertSources;
  /** Address of the console, for links in messages. */
  url(): string;
  log(line: string): void;
  onError(error: unknown): void;
  random?(): number;
}

const STEP_MS = 200;
const TIDY_MS = 600_000;
const DAY_MS = 86_400_000;
const MAX_RECENT = 2000;
const MAX_NOTES = 100;
const NOTE = 'note:';

/** The alerts room: rules are evaluated, what they find is grouped, and channels are told. All that matters outlives a kill. */
export async function createAlerts(
  deps: AlertsDeps,
): Promise<{ alerts: Alerts; begin(): void; step(): void; settled(): Promise<void> }> {
  const { store, clock, limits, feed, record, sources, onError, random = Math.random } = deps;
  const compile = createMatching();
  const rules = loadRules(store.read, clock.now());
  /** Instances that ended a while ago: what the stream tells of them, and when it was. */
  const recent = new BoundedMap<string, { rule: Rule; instance: Instance }>(MAX_RECENT);
  /** When they ended, by fingerprint. */
  const endedAt = new BoundedMap<string, number | null>(MAX_RECENT);
  const notes = new BoundedMap<string, ScreenNotification>(MAX_NOTES);
  const saved = store.read.query<{ policy: string }>('SELECT policy FROM alert_policy WHERE id = 1').get();
  let policy: Policy = withPolicyDefaults(saved ? parseStored<object>(saved.policy) : {});
  let compiled = compilePolicy(policy, compile);

  const startedAt = clock.now();
  let known = false;
  /** A kill may have left half of an evaluation in the store: what fires is known once each rule was evaluated since the start, or a query had its time. */
  const isKnown = (): boolean =>
    (known ||=
      Math.abs(clock.now() - startedAt) >= limits.alertQuerySeconds * 1000 ||
      [...rules.values()].every(({ config, lastAt }) => !config.enabled || lastAt !== null));

  /** Kept until something else fires, or the policy is another. */
  let inhibitor: ReturnType<typeof compiled.inhibitor> | null = null;

  const instances = () =>
    [...rules.values()].flatMap((rule) => [...rule.instances.values()].map((instance) => ({ rule, instance })));
  const firing = () => instances().filter(({ instance }) => isFiring(instance.facts));
  const firingLabels = () =>
    firing().map(({ rule, instance }) => ({ id: alertId(rule, instance), labels: instance.labels }));
  /** Tells of each alert what holds it back now. */
  const holder = () => {
    const inhibitedBy = (inhibitor ??= compiled.inhibitor(firingLabels()));
    return (labels: Labels) => ({ silencedBy: silences.of(labels), inhibitedBy: inhibitedBy(labels) });
  };
  const viewOf = ({ rule, instance }: { rule: Rule; instance: Instance }, heldBack = holder()): Alert =>
    alertView(rule, instance, heldBack(instance.labels), acks.of(alertId(rule, instance)));

  function keepRecent(key: string, value: { rule: Rule; instance: Instance }): void {
    recent.set(key, value);
    endedAt.set(value.instance.fingerprint, value.instance.facts.endsAt);
  }

  function changed(rule: Rule, changes: readonly Change[]): void {
    for (const change of changes) {
      const id = alertId(rule, change.after);
      if (change.after.facts.state === 'Normal') {
        rule.instances.delete(change.after.fingerprint);
        keepRecent(id, { rule, instance: change.after });
      }
      if (isVisibleChange(change)) feed.publish('alert', id);
    }
    const worse = acks.follow(rule, changes);
    for (const id of worse) feed.publish('alert', id);
    if (worse.length > 0) dispatcher.touch();
    if (!changes.some(isVisibleChange)) return;
    inhibitor = null;
    dispatcher.touch();
  }

  function show(screen: ScreenNotification): void {
    notes.set(screen.id, screen);
    feed.publish('alert', `${NOTE}${screen.id}`);
  }

  const acks = createAcknowledgements({ store, clock, record, rules, onError });
  const silences = createSilences({
    store,
    clock,
    limits,
    record,
    compile,
    count: (matches: Matches) => firing().filter(({ instance }) => matches(instance.labels)).length,
  });
  const sendDeps = { url: deps.url, seconds: () => limits.alertSendSeconds, show };
  const channels = await createChannels({
    store,
    clock,
    limits,
    record,
    cipher: deps.cipher,
    log: deps.log,
    deliveryStatus: (id) => dispatcher.deliveryStatus(id),
    mayRemove(id) {
      if (compiled.channels.has(id))
        throw new Fault(
          'CHANNEL_IN_USE',
          'the notification policy uses this channel: remove the channel from the policy first',
        );
    },
  });
  const dispatcher = createDispatcher({
    store,
    clock,
    limits,
    random,
    onError,
    isKnown,
    policy: () => compiled,
    channels: () => channels.held,
    *firing() {
      const heldBack = holder();
      for (const { rule, instance } of firing()) {
        yield {
          alert: notifiedAlert(rule, instance, acks.of(alertId(rule, instance))),
          suppressed: isHeldBack(heldBack(instance.labels)),
        };
      }
    },
    ended: (fingerprint) => endedAt.get(fingerprint) ?? clock.now(),
    send: (message, channel, signal, taken) => send(message, channel, channel.secrets ?? {}, sendDeps, signal, taken),
  });
  const evaluator = createEvaluator({ store, clock, limits, rules, sources, changed, onError });
  const checkQuery: Parameters<typeof createRules>[0]['checkQuery'] = async (query, project) => {
    if (query.source === 'engine') return;
    const now = clock.now();
    try {
      await withTimeout(limits.alertQuerySeconds, (signal) =>
        querySamples(sources, query, { from: now - 1000, to: now, stepMs: null, limit: 1 }, signal, project),
      );
    } catch (error) {
      if (error instanceof Fault && (error.code === 'QUERY_INVALID' || error.code === 'VALIDATION_FAILED')) throw error;
    }
  };
  const ruleApi = createRules({ store, clock, limits, record, rules, checkQuery, changed });

  function step(): void {
    evaluator.step();
    dispatcher.step();
  }
  async function tidy(): Promise<void> {
    if (limits.alertHistoryDays > 0) silences.forget(clock.now() - limits.alertHistoryDays * DAY_MS);
    await deleteOldHistory(store, limits, clock.now());
  }
  /** An alert after somebody took it on, or no longer: others see it, and what was kept back is told. */
  function acked(id: string): Alert {
    feed.publish('alert', id);
    dispatcher.touch();
    const event = alerts.event(id);
    if (event?.kind !== 'instance') throw new Fault('ALERT_NOT_FOUND', `alert ${id} has resolved in the meantime`);
    const { kind: _kind, ...alert } = event;
    return alert;
  }
  let stops: (() => Promise<void>)[] = [];

  const alerts: Alerts = {
    list({ page, size, state, ruleId, q, heldBack: held, sees }) {
      const text = q?.toLowerCase();
      const heldBack = holder();
      const matching = instances().filter(
        ({ rule, instance }) =>
          (state === undefined || state.length === 0 || state.includes(instance.facts.state)) &&
          (ruleId === undefined || rule.id === ruleId) &&
          (sees === undefined || sees(rule.config.project ?? null)) &&
          (text === undefined || JSON.stringify(Object.values(instance.labels)).toLowerCase().includes(text)),
      );
      const found =
        held === undefined
          ? matching
          : matching.filter(({ instance }) => isHeldBack(heldBack(instance.labels)) === held);
      found.sort(
        (a, b) =>
          compareSeverity(a.instance.facts.state, b.instance.facts.state) ||
          b.instance.facts.activeAt - a.instance.facts.activeAt ||
          a.instance.fingerprint.localeCompare(b.instance.fingerprint),
      );
      return paginate(found, { page, size }, (one) => viewOf(one, heldBack));
    },
    event(id): AlertEvent | null {
      if (id.startsWith(NOTE)) {
        const screen = notes.get(id.slice(NOTE.length));
        return screen ? { kind: 'notification', ...screen, at: iso(screen.at) } : null;
      }
      const [ruleId = '', fingerprint = ''] = id.split(':');
      const rule = rules.get(ruleId);
      const instance = rule?.instances.get(fingerprint);
      const found = rule && instance ? { rule, instance } : recent.get(id);
      return found ? { kind: 'instance', ...viewOf(found) } : null;
    },
    async acknowledge(id, note, actor) {
      await acks.acknowledge(id, note, actor);
      dispatcher.acknowledged(id.split(':')[1] ?? '');
      return acked(id);
    },
    async withdraw(id, actor) {
      await acks.withdraw(id, actor);
      return acked(id);
    },
    rules: {
      ...ruleApi,
      preview: (body) =>
        withTimeout(limits.alertQuerySeconds, (signal) => previewRule(sources, body, clock.now(), signal)),
    },
    silences: {
      list: silences.api.list,
      async create(draft, actor) {
        const made = await silences.api.create(draft, actor);
        dispatcher.touch();
        return made;
      },
      async expire(id, actor) {
        await silences.api.expire(id, actor);
        dispatcher.touch();
      },
    },
    channels: {
      ...channels.api,
      test: async (id, actor) => testChannel({ ...deps, sendDeps }, channels.find(id), actor),
      template: (body) => previewTemplate(body, clock.now(), deps.url()),
    },
    policy: {
      get: () => policy,
      async put(body, actor) {
        const next = withPolicyDefaults(body);
        const checked = compilePolicy(next, bounded(compile));
        for (const id of checked.channels) channels.find(id);
        await store.write((db) => {
          db.statement('INSERT OR REPLACE INTO alert_policy (id, policy) VALUES (1, ?)').run(JSON.stringify(body));
          record(db, actor, {
            action: 'alert-policy.change',
            target: 'alert-policy:root',
            before: policy,
            after: next,
          });
        });
        [policy, compiled, inhibitor] = [next, checked, null];
        dispatcher.touch();
        return policy;
      },
    },
    history({ sees, ...query }) {
      const seen = sees && [...rules.values()].filter(({ config }) => sees(config.project ?? null));
      return listHistory(store.read, { ...query, ...(seen && { rules: seen.map(({ id }) => id) }) });
    },
    stats: () => ({
      firing: firing().length,
      pending: instances().length - firing().length,
      waiting: dispatcher.waiting,
      skipped: [...rules.values()].reduce((sum, { skipped }) => sum + skipped, 0),
    }),
    tidy,
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await evaluator.close();
      await dispatcher.close();
    },
  };
  return {
    alerts,
    /** From now on rules are evaluated when they are due: not while a master starts, which has other things to do. */
    begin() {
      stops = [every(STEP_MS, step, onError), every(TIDY_MS, tidy, onError)];
    },
    step,
    async settled() {
      await evaluator.settled();
      await dispatcher.settled();
    },
  };
}
