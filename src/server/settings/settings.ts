import { keysOf, tableOf } from '../../contract/tables.ts';
import { isOneOf } from '../../lib/is-one-of.ts';
import { LIMIT_BOUNDS } from '../../contract/limits.ts';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import {
  type Setting,
  isLimit,
  appliesWithoutRestart,
  limitFault,
  orderFaults,
  OTHER_SETTINGS,
  type OtherSettings,
} from '../../contract/settings.ts';
import { RETENTION_MODES } from '../../contract/vocabulary.ts';
import { isAllowable, isAlwaysRefused } from '../../lib/addresses.ts';
import { escapePointer } from '../../lib/validation-errors.ts';
import { Fault } from '../../lib/fault.ts';
import type { Access } from '../access/port.ts';
import type { Store } from '../store/port.ts';
import type { Settings } from './port.ts';

const MAX_ALLOWED = 200;

export interface SettingsDeps {
  readonly store: Store;
  /** As the master was started: the product's own limits with those of its options. */
  readonly limits: Readonly<Limits>;
  readonly httpAllow: readonly string[];
  record: Access['audit']['record'];
  log(line: string): void;
}

/**
 * Limits and settings with the overrides that were made while a master ran. They are kept in the store, so an override
 * goes before the option or variable of the same name until it is taken back. One that the product no longer takes is
 * told and left aside.
 */
export function createSettings({ store, limits: given, httpAllow, record, log }: SettingsDeps): Settings {
  const defaults: Readonly<Record<string, unknown>> = { ...given, ...OTHER_SETTINGS, httpAllow };
  const overrides = new Map<string, unknown>();
  for (const { name, value } of store.read
    .query<{ name: string; value: string }>('SELECT name, value FROM setting')
    .all()) {
    const fault = faultOf(name, JSON.parse(value));
    if (fault === null) overrides.set(name, JSON.parse(value));
    else log(`the stored value of setting ${name} is ignored: it ${fault}`);
  }
  const inForce: Record<string, unknown> = { ...defaults, ...Object.fromEntries(overrides) };
  const limits = tableOf(keysOf(LIMITS), (name) => Number(inForce[name]));
  // Each value was looked at by `faultOf`, which knows its type by its name.
  const other = Object.fromEntries(
    Object.keys(OTHER_SETTINGS).map((name) => [name, inForce[name]]),
  ) as unknown as OtherSettings;
  const watchers: (() => void)[] = [];

  function put(name: string, value: unknown): void {
    // As above.
    const at = (isLimit(name) ? limits : other) as unknown as Record<string, unknown>;
    at[name] = value;
  }

  /** Every setting as it is from the next start on, with these changes. */
  function asWouldBe(changes: Record<string, unknown>): Record<string, unknown> {
    const values = { ...defaults, ...Object.fromEntries(overrides) };
    for (const [name, value] of Object.entries(changes)) values[name] = value ?? defaults[name];
    return values;
  }

  return {
    limits,
    other,
    list: (): Setting[] =>
      Object.keys(defaults).map((name) => ({
        name,
        value: isLimit(name) ? limits[name] : other[name as keyof OtherSettings],
        default: defaults[name],
        override: overrides.get(name) ?? null,
        bounds: isLimit(name) ? boundsOf(name) : null,
        restart: !appliesWithoutRestart(name),
      })),
    async patch(changes, actor) {
      const names = Object.keys(changes);
      const faults = names.flatMap((name) => {
        const message = Object.hasOwn(defaults, name) && changes[name] === null ? null : faultOf(name, changes[name]);
        return message === null ? [] : [{ pointer: `/${escapePointer(name)}`, message }];
      });
      if (faults.length === 0)
        faults.push(
          ...orderFaults(asWouldBe(changes), new Set(names)).map(({ name, message }) => ({
            pointer: `/${escapePointer(name)}`,
            message,
          })),
        );
      if (faults.length > 0)
        throw new Fault(
          'VALIDATION_FAILED',
          `the settings have ${faults.length === 1 ? 'a validation error' : `${faults.length} validation errors`}: ${faults[0]?.pointer.slice(1)} ${faults[0]?.message}`,
          { errors: faults },
        );
      const changed = names.filter(
        (name) => JSON.stringify(overrides.get(name) ?? null) !== JSON.stringify(changes[name]),
      );
      if (changed.length === 0) return;
      await store.write((db) => {
        for (const name of changed) {
          const value = changes[name];
          if (value === null) db.statement('DELETE FROM setting WHERE name = ?').run(name);
          else
            db.statement('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)').run(name, JSON.stringify(value));
          record(db, actor, {
            action: 'setting.change',
            target: `setting:${name}`,
            before: overrides.get(name) ?? null,
            after: value,
          });
        }
      });
      for (const name of changed) {
        const value = changes[name];
        if (value === null) overrides.delete(name);
        else overrides.set(name, value);
        if (appliesWithoutRestart(name)) put(name, value ?? defaults[name]);
      }
      for (const watcher of watchers) watcher();
    },
    watch: (listener) => void watchers.push(listener),
  };
}

function boundsOf(name: keyof Limits): Setting['bounds'] {
  const [least, most, or = null] = LIMIT_BOUNDS[name];
  return { least, most, or };
}

/** Why a value is none for the setting of that name, as the end of a sentence; null where it is one. */
function faultOf(name: string, value: unknown): string | null {
  if (isLimit(name)) return limitFault(name, value);
  if (name === 'jobRetentionMode')
    return isOneOf(RETENTION_MODES, value) ? null : `must be one of ${RETENTION_MODES.join(', ')}`;
  if (name !== 'httpAllow') return 'is not a setting: GET /api/v1/settings lists all settings';
  if (!Array.isArray(value) || value.length > MAX_ALLOWED)
    return `must be a list of at most ${MAX_ALLOWED} host names, addresses and ranges (CIDR)`;
  const bad: unknown = value.find((entry) => typeof entry !== 'string' || !isAllowable(entry));
  if (bad !== undefined)
    return `must contain host names, addresses or ranges such as 10.0.0.0/8; got ${JSON.stringify(bad)}`;
  const never: unknown = value.find((entry) => isAlwaysRefused(String(entry)));
  return never === undefined
    ? null
    : `must not contain ${JSON.stringify(never)}: http nodes never call link-local, metadata, multicast or unspecified addresses`;
}
