import { paginate } from '../../lib/page.ts';
import type { AlertRule, RuleConfig, RuleDraft, RulePatch } from '../../contract/alert-rules.ts';
import type { Limits } from '../../contract/limits.ts';
import { RESERVED_LABELS } from '../../contract/vocabulary.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Access } from '../access/port.ts';
import type { Store } from '../store/port.ts';
import { newRule, ruleView, saveChanges, saveRule, type Rule } from './alert-state.ts';
import { dropAllInstances, type Change } from './evaluate.ts';
import type { Alerts } from './port.ts';
import { ANNOTATION_RECORDS, ANNOTATION_VALUES, checkTemplate } from './template.ts';

/** Windows that one evaluation may reduce. */
const MAX_WINDOWS = 11_000;

export interface RulesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Pick<Limits, 'alertRules'>>;
  readonly record: Access['audit']['record'];
  readonly rules: Map<string, Rule>;
  /** Throws where the language of a query does not take it. */
  checkQuery(query: RuleConfig['query'], project: string | undefined): Promise<void>;
  /** Tells of instances that ended with their rule. */
  changed(rule: Rule, changes: readonly Change[]): void;
}

/** A draft with the defaults of its kind: a count of log lines has no "no data", its zero is a value. */
export function withDefaults(draft: RuleDraft): RuleConfig {
  const logs = draft.query.source === 'logs';
  return {
    group: 'default',
    rangeSeconds: 300,
    reducer: logs ? 'sum' : 'last',
    intervalSeconds: 60,
    forSeconds: 60,
    keepFiringSeconds: 0,
    noData: logs ? 'OK' : 'NoData',
    onError: 'Error',
    severity: 'warning',
    labels: {},
    annotations: {},
    enabled: true,
    ...draft,
  };
}

/** What the schema cannot say. */
export function checkRule({
  query,
  threshold,
  labels,
  annotations,
  rangeSeconds,
}: Pick<RuleConfig, 'query' | 'threshold' | 'labels' | 'annotations' | 'rangeSeconds'>): void {
  if ((threshold.op === 'within' || threshold.op === 'outside') && threshold.upper === undefined)
    throw invalidAt('/threshold/upper', `the operator ${threshold.op} needs two bounds: value and upper`);
  if (query.source !== 'engine' && query.stepSeconds !== undefined && rangeSeconds / query.stepSeconds > MAX_WINDOWS)
    throw invalidAt(
      '/query/stepSeconds',
      `a range of ${rangeSeconds} s has more than ${MAX_WINDOWS} windows of ${query.stepSeconds} s: use a longer step or a shorter range`,
    );
  for (const name of RESERVED_LABELS)
    if (Object.hasOwn(labels, name))
      throw invalidAt(`/labels/${name}`, `the label name ${name} is reserved: choose another name`);
  for (const [name, template] of Object.entries(annotations))
    checkTemplate(template, `/annotations/${name}`, ANNOTATION_VALUES, ANNOTATION_RECORDS);
}

/** Rules: made, changed, deleted; each change audited in its transaction. */
export function createRules({
  store,
  clock,
  limits,
  record,
  rules,
  checkQuery,
  changed,
}: RulesDeps): Omit<Alerts['rules'], 'preview'> {
  const find = (id: string): Rule => {
    const rule = rules.get(id);
    if (!rule)
      throw new Fault('ALERT_RULE_NOT_FOUND', `alert rule ${id} not found: GET /api/v1/alerts/rules lists all rules`);
    return rule;
  };
  function unique(name: string, but: string | null): void {
    for (const rule of rules.values())
      if (rule.config.name === name && rule.id !== but)
        throw new Fault('ALERT_NAME_TAKEN', `rule "${name}" already exists: rule names must be unique`);
  }
  const listed = () =>
    [...rules.values()].sort(
      (a, b) => Number(a.builtIn) - Number(b.builtIn) || a.config.name.localeCompare(b.config.name),
    );

  return {
    list: ({ sees, ...query }) =>
      paginate(
        listed().filter(({ config }) => sees === undefined || sees(config.project ?? null)),
        query,
        ruleView,
      ),
    get: (id) => ruleView(find(id)),
    async create(draft, actor): Promise<AlertRule> {
      const config = withDefaults(draft);
      if (config.query.source === 'engine')
        throw invalidAt('/query/source', 'only built-in rules may use this query type: query metrics or logs');
      checkRule(config);
      await checkQuery(config.query, config.project);
      if (rules.size >= limits.alertRules)
        throw invalidAt('/name', `the maximum of ${rules.size} rules is reached (limit alertRules): delete one first`);
      unique(config.name, null);
      const now = clock.now();
      const rule = newRule(uuidv7(now), config, now, actor.name);
      rules.set(rule.id, rule);
      await store
        .write((db) => {
          saveRule(db, rule);
          record(db, actor, {
            action: 'alert-rule.create',
            target: `alert-rule:${rule.id}`,
            before: null,
            after: config,
          });
        })
        .catch((error: unknown) => {
          rules.delete(rule.id);
          throw error;
        });
      return ruleView(rule);
    },
    async update(id, patch: RulePatch, actor): Promise<AlertRule> {
      const rule = find(id);
      if (patch.query !== undefined && (rule.builtIn || patch.query.source === 'engine'))
        throw invalidAt(
          '/query',
          rule.builtIn
            ? 'the query of a built-in rule cannot be changed: create a rule of your own'
            : 'only built-in rules may use this query type: query metrics or logs',
        );
      const config: RuleConfig = { ...rule.config, ...patch };
      checkRule(config);
      if (patch.project !== undefined && rule.builtIn)
        throw invalidAt('/project', 'a built-in rule is about everything: create a rule of your own');
      if (patch.query !== undefined) await checkQuery(patch.query, config.project);
      unique(config.name, id);
      const before = { config: rule.config, updatedAt: rule.updatedAt, updatedBy: rule.updatedBy };
      const drops = config.enabled ? [] : dropAllInstances(rule.instances, clock.now(), 'Paused');
      Object.assign(rule, { config, updatedAt: clock.now(), updatedBy: actor.name });
      await store
        .write((db) => {
          saveRule(db, rule);
          saveChanges(db, rule, drops);
          record(db, actor, {
            action: 'alert-rule.change',
            target: `alert-rule:${id}`,
            before: before.config,
            after: config,
          });
        })
        .catch((error: unknown) => {
          Object.assign(rule, before);
          throw error;
        });
      changed(rule, drops);
      return ruleView(rule);
    },
    async remove(id, actor) {
      const rule = find(id);
      if (rule.builtIn)
        throw new Fault(
          'ALERT_BUILT_IN',
          `rule "${rule.config.name}" is built in: disable it instead (enabled: false)`,
        );
      const drops = dropAllInstances(rule.instances, clock.now(), 'RuleDeleted');
      // At once: what an evaluation has still to save of it must not come behind this.
      rules.delete(id);
      await store
        .write((db) => {
          db.statement('DELETE FROM alert_rule WHERE id = ?').run(id);
          saveChanges(db, rule, drops);
          for (const table of ['alert_instance', 'alert_ack'])
            db.statement(`DELETE FROM ${table} WHERE rule_id = ?`).run(id);
          record(db, actor, {
            action: 'alert-rule.delete',
            target: `alert-rule:${id}`,
            before: rule.config,
            after: null,
          });
        })
        .catch((error: unknown) => {
          rules.set(id, rule);
          throw error;
        });
      changed(rule, drops);
    },
  };
}
