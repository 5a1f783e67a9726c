import type { RuleConfig } from '../../contract/alert-rules.ts';
import {
  isFiring,
  nextAlert,
  type AlertFacts,
  type AlertObservation,
  type AlertTimes,
} from '../state-machines/alert.ts';
import { labelFingerprint, type Labels } from './fingerprint.ts';
import { meetsThreshold, reduceSeries } from './reduce.ts';
import type { Samples } from './sources.ts';

/** One label set of a rule. */
export interface Instance {
  readonly fingerprint: string;
  readonly labels: Labels;
  readonly facts: AlertFacts;
}

/** What a rule's query gave. */
export type QueryOutcome =
  | { readonly kind: 'samples'; readonly samples: Samples }
  | { readonly kind: 'error'; readonly message: string };

export interface Change {
  readonly before: Instance | null;
  readonly after: Instance;
}

const OWN_ALERTS = { NoData: 'DatasourceNoData', Error: 'DatasourceError' } as const;

const MAX_NAME = 64;
const named = (name: string): string => name.replace(/[^a-zA-Z0-9_.]/g, '_').slice(0, MAX_NAME);

/** The labels of a rule's alert: what the series is told by, the rule's own, and what all alerts have. */
export function instanceLabels(rule: Pick<RuleConfig, 'name' | 'severity' | 'labels'>, series: Labels): Labels {
  const found = Object.fromEntries(
    Object.entries(series)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [named(name), value]),
  );
  return { ...found, ...rule.labels, alertname: rule.name, severity: rule.severity };
}

/**
 * All instances of a rule that changed, after one evaluation; nothing is changed before all of them are known. A rule without
 * any series, and one whose query failed, raise an alert of their own (`DatasourceNoData`, `DatasourceError`) or do what the
 * rule says instead. Yields behind each label set: there may be a thousand.
 */
export function* evaluate(
  rule: RuleConfig,
  instances: ReadonlyMap<string, Instance>,
  outcome: QueryOutcome,
  at: number,
): Generator<void, Change[]> {
  const after = new Map<string, Change>();
  const times: AlertTimes = {
    forMs: rule.forSeconds * 1000,
    keepFiringMs: rule.keepFiringSeconds * 1000,
    firing: 'Alerting',
  };
  const looked = new Set<string>();
  const see = (
    labels: Labels,
    seen: AlertObservation,
    as: AlertTimes = times,
    fingerprint = labelFingerprint(labels),
  ) => {
    looked.add(fingerprint);
    const before = instances.get(fingerprint) ?? null;
    const facts = nextAlert(before?.facts ?? null, seen, as);
    if (facts && !after.has(fingerprint)) after.set(fingerprint, { before, after: { fingerprint, labels, facts } });
  };
  // One evaluation that finds nothing pages nobody, as a series that is missing once keeps its state: a rule may be made before its series is.
  const patience = { NoData: Math.max(times.forMs, rule.intervalSeconds * 500), Error: times.forMs };
  const own = (state: 'NoData' | 'Error', on: boolean) =>
    see(
      { ...rule.labels, alertname: OWN_ALERTS[state], rulename: rule.name, severity: rule.severity },
      { on: 'value', at, value: null, holds: on, reason: state },
      { ...times, forMs: patience[state], keepFiringMs: 0, firing: state },
    );
  const others = () => [...instances.values()].filter(({ labels }) => labels['rulename'] === undefined);

  const empty = outcome.kind === 'samples' && outcome.samples.samples.length === 0;
  own('Error', outcome.kind === 'error' && rule.onError === 'Error');
  own('NoData', empty && rule.noData === 'NoData');
  if (outcome.kind === 'error' || empty) {
    const policy = outcome.kind === 'error' ? rule.onError : rule.noData;
    const reason = outcome.kind === 'error' ? 'Error' : 'NoData';
    const all = others();
    if (policy === 'Alerting' && all.length === 0)
      see(instanceLabels(rule, {}), { on: 'value', at, value: null, holds: true, reason });
    for (const { labels } of all) {
      yield;
      if (policy === 'Alerting') see(labels, { on: 'value', at, value: null, holds: true, reason });
      else if (policy === 'OK') see(labels, { on: 'value', at, value: null, holds: false, reason });
      else if (policy === 'NoData') see(labels, { on: 'missing', at });
      else see(labels, { on: 'keep', at });
    }
    return [...after.values()];
  }
  for (const { labels, values } of outcome.samples.samples) {
    yield;
    const value = reduceSeries(rule.reducer, values);
    see(instanceLabels(rule, labels), { on: 'value', at, value, holds: meetsThreshold(rule.threshold, value) });
  }
  for (const { fingerprint, labels } of others()) {
    yield;
    if (!looked.has(fingerprint))
      see(
        labels,
        rule.query.source === 'engine' ? { on: 'value', at, value: null, holds: false } : { on: 'missing', at },
        times,
        fingerprint,
      );
  }
  return [...after.values()];
}

/** All instances of a rule that is paused or gone, ended. */
export const dropAllInstances = (
  instances: ReadonlyMap<string, Instance>,
  at: number,
  reason: 'Paused' | 'RuleDeleted',
): Change[] =>
  [...instances.values()].flatMap((before) => {
    const facts = nextAlert(
      before.facts,
      { on: 'drop', at, reason },
      { forMs: 0, keepFiringMs: 0, firing: 'Alerting' },
    );
    return facts ? [{ before, after: { ...before, facts } }] : [];
  });

/** True where people or a restart must not miss it: anything but a newer value. */
export const isVisibleChange = ({ before, after }: Change): boolean =>
  before === null ||
  before.facts.state !== after.facts.state ||
  before.facts.since !== after.facts.since ||
  before.facts.missing !== after.facts.missing;

/** True where it began or ceased to fire. */
export const isStateChange = ({ before, after }: Change): boolean =>
  (before !== null && isFiring(before.facts)) !== isFiring(after.facts);
