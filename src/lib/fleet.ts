import { isRecord } from './is-record.ts';
import type { Cluster } from '../contract/cluster.ts';
import type { ClusterFigures, ClusterStatus, FleetSearch } from '../contract/desktop.ts';
import type { Overview } from '../contract/master.ts';
import { OPEN_STATES } from '../contract/vocabulary.ts';
import type { ApiClient } from './api-client.ts';
import { isSilent } from './cluster.ts';

/** One look at each cluster of the fleet, by the shell and by a page alone. */

/** How long one cluster may take; those beside it are not held up by it. */
export const CLUSTER_TIMEOUT_MS = 5000;

export interface ClusterReader {
  /** Asks one master, within its time; rejects where it does not answer. */
  answer: ApiClient['answer'];
  /** The JSON of an answer; undefined where it is none. */
  read(answer: Response): Promise<unknown>;
  /** Words for why it did not. */
  why(error: unknown): string;
  /** Milliseconds that only go forward. */
  since(): number;
}

export const downStatus = (message: string): ClusterStatus => ({
  state: 'down',
  message,
  tookMs: null,
  version: null,
  role: null,
  facts: null,
});

/** Looks at one master. Never rejects: what is wrong is part of the answer. */
export async function readClusterStatus({ answer, read, why, since }: ClusterReader): Promise<ClusterStatus> {
  const start = since();
  const parsed = async (sent: Response) => ({ status: sent.status, body: await read(sent) });
  try {
    const [session, overview, settings, alerts, cluster] = await Promise.all([
      answer('session.get').then(parsed),
      answer('master.overview').then(parsed),
      answer('settings.get').then(parsed),
      answer('alerts.list', { query: { page: 0, size: 1, state: OPEN_STATES, heldBack: false } }).then(parsed),
      answer('cluster.get').then(parsed),
    ]);
    const tookMs = Math.round(since() - start);
    if (session.status === 401 || session.status === 403)
      return {
        ...downStatus('the master rejects the token: the token is wrong, revoked or expired'),
        state: 'refused',
        tookMs,
      };
    if (session.status !== 200 || overview.status !== 200 || !isOverview(overview.body))
      return {
        ...downStatus(
          `the server responds (status ${session.status}), but it is not a Yardmaster master that this console supports`,
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
        workersUp: workers ? workers.operational + workers.maxed : null,
        workers: workers?.total ?? null,
        ...mastersOf(cluster.body),
        alertsFiring: Number(memberOf(alerts.body, 'totalItems') ?? 0) || 0,
      },
    };
  } catch (error) {
    return downStatus(why(error));
  }
}

function mastersOf(body: unknown): Pick<ClusterFigures, 'mastersUp' | 'masters'> {
  const listed = memberOf(body, 'masters');
  if (!Array.isArray(listed)) return { mastersUp: null, masters: null };
  const masters = listed as Cluster['masters'];
  return { mastersUp: masters.filter((one) => !isSilent({ masters }, one)).length, masters: masters.length };
}

/** What one master finds for a text. Never rejects. */
export async function searchCluster(
  { answer, read, why }: Pick<ClusterReader, 'answer' | 'read' | 'why'>,
  text: string,
): Promise<FleetSearch> {
  const none = (problem: string): FleetSearch => ({ hits: [], problem });
  try {
    const found = await answer('master.find', { query: { q: text } });
    const { status } = found;
    const body = await read(found);
    if (status === 404) return none('this master is too old for cross-cluster search');
    const items = memberOf(body, 'items');
    if (status !== 200 || !Array.isArray(items))
      return none(textIn(body, 'detail') ?? `the master responded with ${status}`);
    // A path leads to a console that is trusted: it stays inside it.
    return { hits: items.filter(({ path }) => typeof path === 'string' && /^\/(?!\/)/.test(path)), problem: null };
  } catch (error) {
    return none(why(error));
  }
}

const memberOf = (body: unknown, name: string): unknown => (isRecord(body) ? body[name] : undefined);
const isOverview = (body: unknown): body is Overview =>
  ['jobs', 'tasks'].every((name) => memberOf(memberOf(body, name), 'running') !== undefined);
const textIn = (body: unknown, name: string): string | null => {
  const value = memberOf(body, name);
  return typeof value === 'string' ? value : null;
};
