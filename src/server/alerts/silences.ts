import { parseStored } from '../../lib/json.ts';
import type { Silence, SilenceDraft } from '../../contract/alerts.ts';
import type { Limits } from '../../contract/limits.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Access } from '../access/port.ts';
import type { Store } from '../store/port.ts';
import { paginate } from '../../lib/page.ts';
import type { Labels } from './fingerprint.ts';
import { bounded, type CompileMatchers, type Matches } from './matchers.ts';
import type { Alerts } from './port.ts';

interface Row {
  id: string;
  matchers: string;
  comment: string;
  starts_at: number;
  ends_at: number;
  created_at: number;
  created_by: string;
}
interface Held extends Omit<Row, 'matchers'> {
  matchers: Silence['matchers'];
  matches: Matches;
}

export interface SilencesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Pick<Limits, 'alertSilences'>>;
  readonly record: Access['audit']['record'];
  readonly compile: CompileMatchers;
  /** How many firing alerts these matchers hold back. */
  count(matches: Matches): number;
}

export interface Silences {
  readonly api: Alerts['silences'];
  /** Ids of the silences that hold an alert back now. */
  of(labels: Labels): string[];
  /** Those that ended before are forgotten. */
  forget(before: number): void;
}

/** Silences keep messages back, not alerts: what still fires when one ends is told then. */
export function createSilences({ store, clock, limits, record, compile, count }: SilencesDeps): Silences {
  const held = new Map<string, Held>();
  for (const row of store.read.query<Row>('SELECT * FROM alert_silence').all()) {
    const matchers = parseStored<Silence['matchers']>(row.matchers);
    held.set(row.id, { ...row, matchers, matches: compile(matchers) });
  }
  const stateOf = ({ starts_at, ends_at }: Held, now: number): Silence['state'] =>
    ends_at <= now ? 'expired' : starts_at > now ? 'pending' : 'active';
  const view = (one: Held): Silence => {
    const state = stateOf(one, clock.now());
    return {
      id: one.id,
      matchers: one.matchers,
      comment: one.comment,
      startsAt: iso(one.starts_at),
      endsAt: iso(one.ends_at),
      createdAt: iso(one.created_at),
      createdBy: one.created_by,
      state,
      alerts: state === 'active' ? count(one.matches) : 0,
    };
  };
  const ORDER = ['active', 'pending', 'expired'];

  return {
    of(labels) {
      const now = clock.now();
      return [...held.values()]
        .filter((one) => one.starts_at <= now && one.ends_at > now && one.matches(labels))
        .map(({ id }) => id);
    },
    forget(before) {
      for (const [id, { ends_at }] of held) if (ends_at < before) held.delete(id);
    },
    api: {
      list({ state, ...query }) {
        const now = clock.now();
        const all = [...held.values()].filter((one) => state === undefined || stateOf(one, now) === state);
        all.sort(
          (a, b) => ORDER.indexOf(stateOf(a, now)) - ORDER.indexOf(stateOf(b, now)) || b.created_at - a.created_at,
        );
        return paginate(all, query, view);
      },
      async create({ matchers, comment, startsAt, endsAt, durationSeconds }: SilenceDraft, actor) {
        const now = clock.now();
        const starts = startsAt === undefined ? now : Date.parse(startsAt);
        if ((endsAt === undefined) === (durationSeconds === undefined))
          throw invalidAt('/endsAt', 'expected exactly one of endsAt and durationSeconds');
        // One of the two is there, as was just looked at.
        const ends = endsAt === undefined ? starts + (durationSeconds as number) * 1000 : Date.parse(endsAt);
        if (!(ends > Math.max(starts, now)))
          throw invalidAt(
            endsAt === undefined ? '/durationSeconds' : '/endsAt',
            `a silence must end after its start and in the future: this one would end at ${iso(ends)}`,
          );
        const matches = bounded(compile)(matchers);
        if (matches({}))
          throw invalidAt(
            '/matchers',
            'these matchers also match alerts without labels: at least one matcher must not match an empty value',
          );
        const open = [...held.values()].filter((one) => one.ends_at > now);
        if (open.length >= limits.alertSilences)
          throw invalidAt(
            '/matchers',
            `the maximum of ${open.length} open silences is reached (limit alertSilences): end one first`,
          );
        const one: Held = {
          id: uuidv7(now),
          matchers: [...matchers],
          comment,
          starts_at: starts,
          ends_at: ends,
          created_at: now,
          created_by: actor.name,
          matches,
        };
        await store.write((db) => {
          db.statement(
            'INSERT INTO alert_silence (id, matchers, comment, starts_at, ends_at, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?)',
          ).run(one.id, JSON.stringify(matchers), comment, starts, ends, now, actor.name);
          record(db, actor, {
            action: 'silence.create',
            target: `silence:${one.id}`,
            before: null,
            after: { matchers, comment, startsAt: iso(starts), endsAt: iso(ends) },
          });
        });
        held.set(one.id, one);
        return view(one);
      },
      async expire(id, actor) {
        const one = held.get(id);
        if (!one) throw new Fault('SILENCE_NOT_FOUND', `silence ${id} not found`);
        const now = clock.now();
        if (one.ends_at <= now) return;
        const ends = now;
        await store.write((db) => {
          db.statement('UPDATE alert_silence SET ends_at = ?, starts_at = min(starts_at, ?) WHERE id = ?').run(
            ends,
            ends,
            id,
          );
          record(db, actor, {
            action: 'silence.expire',
            target: `silence:${id}`,
            before: { endsAt: iso(one.ends_at) },
            after: { endsAt: iso(ends) },
          });
        });
        Object.assign(one, { ends_at: ends, starts_at: Math.min(one.starts_at, ends) });
      },
    },
  };
}
