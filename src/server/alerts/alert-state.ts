import { parseStored } from '../../lib/json.ts';
import type { AlertRule, RuleConfig } from '../../contract/alert-rules.ts';
import type { Alert } from '../../contract/alerts.ts';
import type { AlertState } from '../../contract/vocabulary.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import type { AlertFacts } from '../state-machines/alert.ts';
import { isFiring } from '../state-machines/alert.ts';
import type { ReadHandle, WriteHandle } from '../store/port.ts';
import { acknowledgementView, type Acknowledgement } from './acknowledgement.ts';
import { BUILT_IN_RULES, OUTDATED_ANNOTATIONS } from './built-in.ts';
import { isVisibleChange, isStateChange, type Change, type Instance } from './evaluate.ts';
import type { Labels } from './fingerprint.ts';
import { recordHistory } from './history.ts';
import type { NotifiedAlert } from './notify/groups.ts';
import { expandTemplate } from './template.ts';

/** A rule with what is known of it now. */
export interface Rule {
  readonly id: string;
  readonly builtIn: boolean;
  readonly createdAt: number;
  config: RuleConfig;
  updatedAt: number;
  updatedBy: string;
  /** Not Normal ones, by fingerprint. */
  readonly instances: Map<string, Instance>;
  lastAt: number | null;
  lastMs: number | null;
  lastError: string | null;
  lastSeries: number | null;
  skipped: number;
}

interface RuleRow {
  id: string;
  config: string;
  created_at: number;
  updated_at: number;
  updated_by: string;
}

export const newRule = (id: string, config: RuleConfig, at: number, by: string, builtIn = false): Rule => ({
  id,
  builtIn,
  createdAt: at,
  config,
  updatedAt: at,
  updatedBy: by,
  instances: new Map(),
  lastAt: null,
  lastMs: null,
  lastError: null,
  lastSeries: null,
  skipped: 0,
});

/** A stored built-in rule with today's texts, where nobody gave it others. */
function renewed(id: string, config: RuleConfig): RuleConfig {
  const today = BUILT_IN_RULES[id]?.annotations;
  const former = OUTDATED_ANNOTATIONS[id] ?? {};
  if (today === undefined) return config;
  const annotations = Object.entries(config.annotations).map(([name, text]) => [
    name,
    [former[name]].flat().includes(text) ? (today[name] ?? text) : text,
  ]);
  return { ...config, annotations: Object.fromEntries(annotations) };
}

/** All rules and what fires, as the store has them. Built-in rules that nobody changed are not in the store. */
export function loadRules(read: ReadHandle, now: number): Map<string, Rule> {
  const rules = new Map(
    Object.entries(BUILT_IN_RULES).map(([id, config]) => [id, newRule(id, config, now, 'yardmaster', true)]),
  );
  for (const row of read.query<RuleRow>('SELECT * FROM alert_rule ORDER BY created_at').all()) {
    const builtIn = Object.hasOwn(BUILT_IN_RULES, row.id);
    rules.set(row.id, {
      ...newRule(row.id, renewed(row.id, parseStored<RuleConfig>(row.config)), row.created_at, row.updated_by, builtIn),
      updatedAt: row.updated_at,
    });
  }
  for (const { rule_id, fingerprint, labels, facts } of read
    .query<{ rule_id: string; fingerprint: string; labels: string; facts: string }>('SELECT * FROM alert_instance')
    .all())
    rules.get(rule_id)?.instances.set(fingerprint, {
      fingerprint,
      labels: parseStored<Labels>(labels),
      facts: parseStored<AlertFacts>(facts),
    });
  return rules;
}

export const saveRule = (db: WriteHandle, rule: Rule): void =>
  void db
    .statement(
      'INSERT OR REPLACE INTO alert_rule (id, name, built_in, config, created_at, updated_at, updated_by) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(
      rule.id,
      rule.config.name,
      Number(rule.builtIn),
      JSON.stringify(rule.config),
      rule.createdAt,
      rule.updatedAt,
      rule.updatedBy,
    );

/** What a restart must not forget, and what people look up later. */
export function saveChanges(db: WriteHandle, rule: Pick<Rule, 'id' | 'config'>, changes: readonly Change[]): void {
  for (const change of changes) {
    const { before, after } = change;
    if (!isVisibleChange(change)) continue;
    if (after.facts.state === 'Normal')
      for (const table of ['alert_instance', 'alert_ack'])
        db.statement(`DELETE FROM ${table} WHERE rule_id = ? AND fingerprint = ?`).run(rule.id, after.fingerprint);
    else
      db.statement(
        'INSERT OR REPLACE INTO alert_instance (rule_id, fingerprint, labels, facts) VALUES (?, ?, ?, ?)',
      ).run(rule.id, after.fingerprint, JSON.stringify(after.labels), JSON.stringify(after.facts));
    if (isStateChange(change))
      recordHistory(db, {
        at: after.facts.since,
        kind: 'state',
        ruleId: rule.id,
        ruleName: rule.config.name,
        fingerprint: after.fingerprint,
        labels: { ...after.labels },
        from: before?.facts.state ?? 'Normal',
        to: after.facts.state,
        value: after.facts.value,
        reason: after.facts.reason,
      });
  }
}

export const alertId = (rule: Pick<Rule, 'id'>, { fingerprint }: Pick<Instance, 'fingerprint'>): string =>
  `${rule.id}:${fingerprint}`;

/** With the reason that operators of Grafana know to look for. */
export function alertAnnotations(
  { config, lastError }: Pick<Rule, 'config' | 'lastError'>,
  { labels, facts }: Instance,
): Labels {
  const scope = { value: facts.value, labels };
  const own = Object.fromEntries(
    Object.entries(config.annotations).map(([name, template]) => [name, expandTemplate(template, scope)]),
  );
  const about =
    labels['rulename'] === undefined
      ? own
      : {
          summary:
            facts.state === 'Error' || facts.reason === 'Error'
              ? `The query of rule ${config.name} is failing`
              : `The query of rule ${config.name} returns no data`,
          ...(lastError === null ? {} : { description: lastError }),
        };
  return facts.reason === null ? about : { ...about, grafana_state_reason: facts.reason };
}

export const notifiedAlert = (rule: Rule, instance: Instance, ack: Acknowledgement | null): NotifiedAlert => ({
  fingerprint: instance.fingerprint,
  labels: instance.labels,
  annotations: alertAnnotations(rule, instance),
  startsAt: instance.facts.startsAt ?? instance.facts.since,
  endsAt: instance.facts.endsAt,
  value: instance.facts.value,
  ruleId: rule.id,
  ...(ack === null ? {} : { ack: { at: ack.at, by: ack.by, note: ack.note, worseAt: ack.worseAt } }),
});

export const alertView = (
  rule: Rule,
  instance: Instance,
  held: { silencedBy: string[]; inhibitedBy: string[] },
  ack: Acknowledgement | null,
): Alert => {
  const { facts, labels, fingerprint } = instance;
  return {
    id: alertId(rule, instance),
    fingerprint,
    ruleId: rule.id,
    ruleName: rule.config.name,
    state: facts.state,
    severity: rule.config.severity,
    labels: { ...labels },
    annotations: { ...alertAnnotations(rule, instance) },
    value: facts.value,
    activeAt: iso(facts.activeAt),
    startsAt: isoOrNull(facts.startsAt),
    endsAt: isoOrNull(facts.endsAt),
    lastEvaluatedAt: iso(facts.seenAt),
    reason: facts.reason,
    ...held,
    acknowledged: acknowledgementView(ack),
  };
};

const WORST: readonly AlertState[] = ['Alerting', 'Error', 'NoData', 'Recovering', 'Pending', 'Normal'];
export const compareSeverity = (a: AlertState, b: AlertState): number => WORST.indexOf(a) - WORST.indexOf(b);

export function ruleView(rule: Rule): AlertRule {
  const states = [...rule.instances.values()].map(({ facts }) => facts.state);
  return {
    id: rule.id,
    ...rule.config,
    builtIn: rule.builtIn,
    createdAt: iso(rule.createdAt),
    updatedAt: iso(rule.updatedAt),
    updatedBy: rule.updatedBy,
    state: [...states].sort(compareSeverity)[0] ?? 'Normal',
    firing: [...rule.instances.values()].filter(({ facts }) => isFiring(facts)).length,
    pending: states.filter((state) => state === 'Pending').length,
    lastEvaluatedAt: isoOrNull(rule.lastAt),
    lastDurationMs: rule.lastMs,
    lastError: rule.lastError,
    lastSeries: rule.lastSeries,
    skipped: rule.skipped,
  };
}
