import type { FindAnswer, Found, Overview } from './master.ts';
import { OPEN_STATES } from './vocabulary.ts';

/**
 * One look at a cluster, as the fleet shows it. `up`: it answered. `refused`: it answered and does not take the token.
 * `down`: no answer in time, or none that a master gives.
 */
export interface FleetLook {
  state: 'up' | 'refused' | 'down';
  /** What is wrong and what to do; null where it is up. */
  message: string | null;
  /** Milliseconds until the whole answer was there; null: it never was. */
  tookMs: number | null;
  version: string | null;
  /** Role of the token. */
  role: string | null;
  facts: FleetFacts | null;
}

export interface FleetFacts {
  /** Tasks that wait for a worker, and that run. */
  queued: number;
  runningTasks: number;
  runningJobs: number;
  /** Jobs created in the last hour that ended other than well. */
  failedLastHour: number;
  workersUp: number;
  workers: number;
  alertsFiring: number;
}

/** What one cluster found; paths are of its own console. `problem`: why it could not be searched, else null. */
export interface FleetSearch {
  hits: Found[];
  problem: string | null;
}

/** How long one cluster may take; those beside it are not held up by it. */
export const FLEET_PATIENCE_MS = 5000;

export interface FleetParts {
  /** Asks one master, within its time; rejects where it does not answer. */
  ask(path: string): Promise<{ status: number; body: unknown }>;
  /** Words for why it did not. */
  why(error: unknown): string;
  /** Milliseconds that only go forward. */
  since(): number;
}

const FIRING = `/api/v1/alerts?page=0&size=1${OPEN_STATES.map((state) => `&state=${state}`).join('')}&heldBack=false`;
export const downLook = (message: string): FleetLook => ({
  state: 'down',
  message,
  tookMs: null,
  version: null,
  role: null,
  facts: null,
});

/** Looks at one master. Never rejects: what is wrong is part of the answer. */
export async function lookAt({ ask, why, since }: FleetParts): Promise<FleetLook> {
  const start = since();
  try {
    const [session, overview, settings, alerts] = await Promise.all([
      ask('/api/v1/session'),
      ask('/api/v1/overview'),
      ask('/api/v1/settings'),
      ask(FIRING),
    ]);
    const tookMs = Math.round(since() - start);
    if (session.status === 401 || session.status === 403)
      return { ...downLook('the master refuses the token: it is wrong, revoked or expired'), state: 'refused', tookMs };
    if (session.status !== 200 || overview.status !== 200 || !isOverview(overview.body))
      return {
        ...downLook(
          `something answers there (status ${session.status}), but not as a Yardmaster that this console understands`,
        ),
        tookMs,
      };
    const { jobs, tasks, workers } = overview.body;
    return {
      state: 'up',
      message: null,
      tookMs,
      version: textIn(settings.body, 'version'),
      role: textIn(session.body, 'role'),
      facts: {
        queued: tasks.ready,
        runningTasks: tasks.running,
        runningJobs: jobs.running,
        failedLastHour: jobs.failedLastHour,
        workersUp: workers.operational + workers.maxed,
        workers: workers.total,
        alertsFiring: Number(memberOf(alerts.body, 'totalItems') ?? 0) || 0,
      },
    };
  } catch (error) {
    return downLook(why(error));
  }
}

/** What one master finds for a text. Never rejects. */
export async function searchIn({ ask, why }: Pick<FleetParts, 'ask' | 'why'>, text: string): Promise<FleetSearch> {
  const none = (problem: string): FleetSearch => ({ hits: [], problem });
  try {
    const { status, body } = await ask(`/api/v1/find?q=${encodeURIComponent(text)}`);
    if (status === 404) return none('this master is too old to be searched');
    const items = memberOf(body, 'items') as FindAnswer['items'] | undefined;
    if (status !== 200 || !Array.isArray(items)) return none(textIn(body, 'detail') ?? `the master answers ${status}`);
    // A path leads to a console that is trusted: it stays inside it.
    return { hits: items.filter(({ path }) => typeof path === 'string' && /^\/(?!\/)/.test(path)), problem: null };
  } catch (error) {
    return none(why(error));
  }
}

const memberOf = (body: unknown, name: string): unknown =>
  body !== null && typeof body === 'object' ? (body as Record<string, unknown>)[name] : undefined;
const isOverview = (body: unknown): body is Overview =>
  ['jobs', 'tasks', 'workers'].every(
    (name) => memberOf(memberOf(body, name), name === 'workers' ? 'total' : 'running') !== undefined,
  );
const textIn = (body: unknown, name: string): string | null => {
  const value = memberOf(body, name);
  return typeof value === 'string' ? value : null;
};
