import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { Access } from '../access/port.ts';
import { isFiring } from '../state-machines/alert.ts';
import type { Store } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import { type Acknowledgement, isWorse } from './acknowledgement.ts';
import { alertId, type Rule } from './alert-state.ts';
import type { Change, Instance } from './evaluate.ts';

interface Row {
  rule_id: string;
  fingerprint: string;
  at: number;
  by_whom: string;
  note: string;
  value: number | null;
  worse_at: number | null;
}

export interface AcknowledgementsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly record: Access['audit']['record'];
  readonly rules: ReadonlyMap<string, Rule>;
  onError(error: unknown): void;
}

/** Who looks after which alert. Each lasts until the alert ends, or is taken back. */
export function createAcknowledgements({ store, clock, record, rules, onError }: AcknowledgementsDeps) {
  const held = new Map<string, Acknowledgement>();
  for (const row of store.read
    .query<Row>(
      'SELECT a.* FROM alert_ack a JOIN alert_instance i ON i.rule_id = a.rule_id AND i.fingerprint = a.fingerprint',
    )
    .all())
    held.set(`${row.rule_id}:${row.fingerprint}`, {
      at: row.at,
      by: row.by_whom,
      note: row.note,
      value: row.value,
      worseAt: row.worse_at,
    });

  function firing(id: string): { rule: Rule; instance: Instance } {
    const [ruleId = '', fingerprint = ''] = id.split(':');
    const rule = rules.get(ruleId);
    const instance = rule?.instances.get(fingerprint);
    if (!rule || !instance)
      throw new Fault('ALERT_NOT_FOUND', `open alert ${id.slice(0, 100)} not found: it may have resolved`);
    if (!isFiring(instance.facts))
      throw new Fault('ALERT_NOT_FIRING', 'this alert is pending: only a firing alert can be acknowledged');
    return { rule, instance };
  }
  const told = (ack: Acknowledgement | undefined) => (ack === undefined ? null : { by: ack.by, note: ack.note });

  return {
    of: (id: string): Acknowledgement | null => held.get(id) ?? null,
    /** Throws ALERT_NOT_FOUND, ALERT_NOT_FIRING. Again: with another note, by somebody else. */
    async acknowledge(id: string, note: string, actor: Actor): Promise<void> {
      const { rule, instance } = firing(id);
      const ack: Acknowledgement = {
        at: clock.now(),
        by: actor.name,
        note,
        value: instance.facts.value,
        worseAt: null,
      };
      await store.write((db) => {
        // It ended while this waited for its turn.
        if (rule.instances.get(instance.fingerprint)?.facts.startsAt !== instance.facts.startsAt) firing(id);
        db.statement(
          'INSERT OR REPLACE INTO alert_ack (rule_id, fingerprint, at, by_whom, note, value, worse_at) VALUES (?, ?, ?, ?, ?, ?, NULL)',
        ).run(rule.id, instance.fingerprint, ack.at, ack.by, ack.note, ack.value);
        record(db, actor, {
          action: 'alert.acknowledge',
          target: `alert:${id}`,
          before: told(held.get(id)),
          after: { ...told(ack), rule: rule.config.name, labels: { ...instance.labels } },
        });
      });
      if (rule.instances.has(instance.fingerprint)) held.set(id, ack);
    },
    /** Messages are repeated again. Throws ALERT_NOT_FOUND; of one that nobody acknowledged it changes nothing. */
    async withdraw(id: string, actor: Actor): Promise<void> {
      const { rule, instance } = firing(id);
      const ack = held.get(id);
      if (ack === undefined) return;
      await store.write((db) => {
        db.statement('DELETE FROM alert_ack WHERE rule_id = ? AND fingerprint = ?').run(rule.id, instance.fingerprint);
        record(db, actor, { action: 'alert.withdraw', target: `alert:${id}`, before: told(ack), after: null });
      });
      held.delete(id);
    },
    /** Behind an evaluation: forgets those that ended (the store does with their instances), and gives the ids of those that became worse. */
    follow(rule: Rule, changes: readonly Change[]): string[] {
      if (held.size === 0) return [];
      const worse: string[] = [];
      for (const { after } of changes) {
        const id = alertId(rule, after);
        const ack = held.get(id);
        if (!ack) continue;
        if (after.facts.state === 'Normal') held.delete(id);
        else if (ack.worseAt === null && isWorse(rule.config.threshold, ack.value, after.facts.value)) {
          const worseAt = clock.now();
          held.set(id, { ...ack, worseAt });
          worse.push(id);
          void store
            .write((db) =>
              db
                .statement('UPDATE alert_ack SET worse_at = ? WHERE rule_id = ? AND fingerprint = ? AND at = ?')
                .run(worseAt, rule.id, after.fingerprint, ack.at),
            )
            .catch(onError);
        }
      }
      return worse;
    },
  };
}
