import { keysOf, tableOf } from '../../contract/tables.ts';
import { isRecord } from '../../lib/is-record.ts';
import { isOneOf } from '../../lib/is-one-of.ts';
import { linkPatternFault } from '../../lib/link-pattern.ts';
import { limitFault } from '../../contract/limit-fault.ts';
import { LIMIT_BOUNDS } from '../../contract/limits.ts';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import {
  type Setting,
  isLimit,
  isOfMaster,
  appliesWithoutRestart,
  orderFaults,
  LINK_SETTINGS,
  OTHER_SETTINGS,
  type OtherSettings,
} from '../../contract/settings.ts';
import { ENVIRONMENTS, RETENTION_MODES } from '../../contract/vocabulary.ts';
import { isAllowable, isAlwaysRefused } from '../../lib/addresses.ts';
import { escapePointer } from '../../lib/validation-errors.ts';
import { Fault } from '../../lib/fault.ts';
import type { Access } from '../access/port.ts';
import type { Store } from '../store/port.ts';
import type { Actor, Precondition } from '../workflows/port.ts';
import type { Settings } from './port.ts';
import { weakens, type Protection } from './weakens.ts';

const MAX_ALLOWED = 200;

export interface SettingsDeps {
  readonly store: Store;
  /** As the master was started: the product's own limits with those of its options. */
  readonly limits: Readonly<Limits>;
  readonly httpAllow: readonly string[];
  /** Where the limits in force are put, for parts that were opened with it. */
  readonly into?: Limits;
  record: Access['audit']['record'];
  log(line: string): void;
}

/**
 * Limits and settings with the overrides that were made while a master ran. They are kept in the store, so an override
 * goes before the option or variable of the same name until it is taken back. One that the product no longer takes is
 * told and left aside.
 */
export function createSettings({ store, limits: given, httpAllow, into, record, log }: SettingsDeps): Settings {
  const changeable = Object.entries(given).filter(([name]) => !isOfMaster(name));
  const defaults: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(changeable),
    ...OTHER_SETTINGS,
    httpAllow,
  };
  const overrides = new Map<string, unknown>();
  for (const { name, value } of store.read
    .query<{ name: string; value: string }>('SELECT name, value FROM setting')
    .all()) {
    const fault = faultOf(name, JSON.parse(value));
    if (fault === null) overrides.set(name, JSON.parse(value));
    else log(`the stored value of setting ${name} is ignored: it ${fault}`);
  }
  const inForce: Record<string, unknown> = { ...given, ...defaults, ...Object.fromEntries(overrides) };
  const limits: Limits = Object.assign(
    into ?? {},
    tableOf(keysOf(LIMITS), (name) => Number(inForce[name])),
  );
  // Each value was looked at by `faultOf`, which knows its type by its name.
  const other = Object.fromEntries(
    Object.keys(OTHER_SETTINGS).map((name) => [name, inForce[name]]),
  ) as unknown as OtherSettings;
  const watchers: (() => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const inForceOf = (name: string): unknown => (isLimit(name) ? limits[name] : other[name as keyof OtherSettings]);

  function put(name: string, value: unknown): void {
    // As above.
    const at = (isLimit(name) ? limits : other) as unknown as Record<string, unknown>;
    at[name] = value;
  }

  /** Every setting as it is from the next start on, with these changes. */
  function asWouldBe(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const values = { ...defaults, ...Object.fromEntries(overrides) };
    for (const [name, value] of Object.entries(changes)) values[name] = value ?? defaults[name];
    return values;
  }

  function isWeakening(changes: Readonly<Record<string, unknown>>): boolean {
    // What is no value is refused by itself.
    if (Object.entries(changes).some(([name, value]) => value !== null && faultOf(name, value) !== null)) return false;
    const before: Protection = { ...other, approverSettleHours: limits.approverSettleHours };
    return weakens(before, asWouldBe(changes) as unknown as Protection);
  }

  return {
    limits,
    other,
    list: (): Setting[] =>
      Object.keys(defaults).map((name) => ({
        name,
        value: inForceOf(name),
        default: defaults[name],
        override: overrides.get(name) ?? null,
        bounds: isLimit(name) ? boundsOf(name) : null,
        restart: !appliesWithoutRestart(name),
      })),
    patch(changes, actor, first) {
      // What one change weakens is weighed against what the one before it made.
      const done = last.then(() => patch(changes, actor, first));
      last = done.catch(() => undefined);
      return done;
    },
    weakens: isWeakening,
    inForce: (names) => Object.fromEntries(names.map((name) => [name, inForceOf(name)])),
    watch: (listener) => void watchers.push(listener),
  };

  async function patch(changes: Readonly<Record<string, unknown>>, actor: Actor, first?: Precondition): Promise<void> {
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
    if (changed.length === 0 && !first) return;
    if (!first && isWeakening(changes))
      throw new Fault('SECOND_PERSON_NEEDED', 'this would weaken what takes a second person: ask for approval');
    const refused = await store.write((db) => {
      const fault = first?.(db);
      if (fault) return fault;
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
      return null;
    });
    if (refused) throw refused;
    for (const name of changed) {
      const value = changes[name];
      if (value === null) overrides.delete(name);
      else overrides.set(name, value);
      if (appliesWithoutRestart(name)) put(name, value ?? defaults[name]);
    }
    for (const watcher of watchers) watcher();
  }
}

function boundsOf(name: keyof Limits): Setting['bounds'] {
  const [least, most, or = null] = LIMIT_BOUNDS[name];
  return { least, most, or };
}

/** Why a value is none for the setting of that name, as the end of a sentence; null where it is one. */
function faultOf(name: string, value: unknown): string | null {
  if (isOfMaster(name))
    return 'is set on each master, by the environment variable that docs/limits.md names: it is needed before the settings are there';
  if (isLimit(name)) return limitFault(name, value);
  if (name === 'jobRetentionMode')
    return isOneOf(RETENTION_MODES, value) ? null : `must be one of ${RETENTION_MODES.join(', ')}`;
  if (name === 'protectedEnvironments') return protectionFault(value);
  if (name === 'requireTests')
    return Array.isArray(value) && value.every((one) => isOneOf(ENVIRONMENTS, one))
      ? null
      : 'must be a list of environments (dev, staging, prod), such as ["prod"]';
  if (name === 'bulkApprovalOver')
    return value === null || (Number.isSafeInteger(value) && Number(value) >= 0)
      ? null
      : 'must be a whole number of jobs, or null: no bulk operation needs approval';
  if (name === 'approvalOverride') return typeof value === 'boolean' ? null : 'must be true or false';
  if (isOneOf(LINK_SETTINGS, name)) return value === '' ? null : linkPatternFault(value);
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

function protectionFault(value: unknown): string | null {
  const isProtected = (one: unknown) => isRecord(one) && one['approvals'] === 1 && Object.keys(one).length === 1;
  return isRecord(value) &&
    Object.entries(value).every(([name, one]) => isOneOf(ENVIRONMENTS, name) && isProtected(one))
    ? null
    : 'must name environments (dev, staging, prod), each with { "approvals": 1 }; for example { "prod": { "approvals": 1 } }';
}
