import { Fault } from '../fault.ts';
import { isRecord } from '../is-record.ts';
import type { RemoteHttp } from '../remote-http.ts';
import { askRemote, networkWords, type RemoteText } from '../remote-text.ts';
import { influxError, influxWords } from './answer.ts';
import { bucketNames } from './buckets.ts';
import { rollUpTasks } from './roll-up-tasks.ts';

export interface ProvisionOptions {
  readonly organization: string;
  readonly bucket: string;
  /** How long each bucket keeps its points, in seconds, 0: without end; null: as it is, or the default for a new bucket. */
  readonly retention: { readonly all: number | null; readonly jobs: number | null; readonly rolled: number | null };
  /** Only tells what would be done. */
  readonly dryRun: boolean;
}

export interface ProvisionStep {
  readonly kind: 'bucket' | 'task';
  readonly name: string;
  /** `unsupported`: this server has no tasks. */
  readonly action: 'created' | 'updated' | 'unchanged' | 'unsupported';
  /** Of a bucket, in seconds; 0: without end; null: of a task. */
  readonly retentionSeconds: number | null;
}

const DAY = 86_400;
const DEFAULTS = { all: 90 * DAY, jobs: 7 * DAY, rolled: 0 };
const WHAT = {
  all: 'Yardmaster: all points',
  jobs: 'Yardmaster: points of single jobs',
  rolled: 'Yardmaster: roll-ups',
};

/**
 * Makes the buckets and tasks of a master in an InfluxDB 2, or brings them up to date. What is there already stays: it may be
 * called again at any time. Throws METRICS_UNAVAILABLE with what InfluxDB said.
 */
export async function provisionInflux(
  http: RemoteHttp,
  address: string,
  options: ProvisionOptions,
): Promise<ProvisionStep[]> {
  const { organization, dryRun } = options;
  const names = bucketNames(options.bucket);

  async function ask(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    { query, body }: { query?: Record<string, string>; body?: unknown } = {},
  ): Promise<RemoteText> {
    try {
      return await askRemote(http, path, {
        method,
        ...(query ? { query } : {}),
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
    } catch (error) {
      throw new Fault('METRICS_UNAVAILABLE', `${address} cannot be reached: ${networkWords(error)}`);
    }
  }
  /** The first of the list in the answer that has this name; null: there is none. */
  async function find(path: string, list: string, query: Record<string, string>, name: string) {
    const answer = await ask('GET', path, { query });
    if (answer.status === 404 && influxError(answer).code !== null) return null;
    const items = documentOf(answer, address, `the list of ${list}`)[list];
    const found: unknown = Array.isArray(items)
      ? items.find((one: unknown) => isRecord(one) && one['name'] === name)
      : undefined;
    return isRecord(found) ? found : null;
  }

  const org = await find('/api/v2/orgs', 'orgs', { org: organization }, organization);
  const orgID = org?.['id'];
  if (typeof orgID !== 'string')
    throw new Fault(
      'METRICS_UNAVAILABLE',
      `${address} has no organization "${organization}" that this token may use: check --metrics-org`,
    );

  const steps: ProvisionStep[] = [];
  for (const key of ['all', 'jobs', 'rolled'] as const) {
    const name = names[key];
    const wanted = options.retention[key];
    const there = await find('/api/v2/buckets', 'buckets', { orgID, name }, name);
    const step = (action: ProvisionStep['action'], retentionSeconds: number) =>
      steps.push({ kind: 'bucket', name, action, retentionSeconds });
    if (there === null) {
      const seconds = wanted ?? DEFAULTS[key];
      if (!dryRun)
        documentOf(
          await ask('POST', '/api/v2/buckets', {
            body: { orgID, name, description: WHAT[key], retentionRules: rulesOf(seconds) },
          }),
          address,
          `bucket "${name}"`,
        );
      step('created', seconds);
      continue;
    }
    const has = retentionOf(there);
    if (wanted === null || wanted === has) {
      step('unchanged', has);
      continue;
    }
    if (!dryRun)
      documentOf(
        await ask('PATCH', `/api/v2/buckets/${String(there['id'])}`, { body: { retentionRules: rulesOf(wanted) } }),
        address,
        `bucket "${name}"`,
      );
    step('updated', wanted);
  }

  const hasTasks = (await ask('GET', '/api/v2/tasks', { query: { orgID, limit: '1' } })).status !== 404;
  for (const { name, flux } of rollUpTasks(names, organization)) {
    const step = (action: ProvisionStep['action']) =>
      steps.push({ kind: 'task', name, action, retentionSeconds: null });
    if (!hasTasks) {
      step('unsupported');
      continue;
    }
    const there = await find('/api/v2/tasks', 'tasks', { orgID, name }, name);
    if (there?.['flux'] === flux) {
      step('unchanged');
      continue;
    }
    if (!dryRun)
      documentOf(
        there === null
          ? await ask('POST', '/api/v2/tasks', { body: { orgID, flux, status: 'active' } })
          : await ask('PATCH', `/api/v2/tasks/${String(there['id'])}`, { body: { flux } }),
        address,
        `task "${name}"`,
      );
    step(there === null ? 'created' : 'updated');
  }
  return steps;
}

/** An empty list would leave a bucket as it is. */
const rulesOf = (seconds: number) => [{ type: 'expire', everySeconds: seconds }];

function retentionOf(bucket: Readonly<Record<string, unknown>>): number {
  const rules: unknown = bucket['retentionRules'];
  const rule: unknown = Array.isArray(rules) ? rules[0] : undefined;
  return isRecord(rule) && typeof rule['everySeconds'] === 'number' ? rule['everySeconds'] : 0;
}

function documentOf(answer: RemoteText, address: string, what: string): Readonly<Record<string, unknown>> {
  if (answer.status < 200 || answer.status >= 300)
    throw new Fault('METRICS_UNAVAILABLE', `${address}: ${influxWords(answer, what)}`);
  try {
    const document: unknown = JSON.parse(answer.text);
    if (isRecord(document)) return document;
  } catch {
    // Not InfluxDB.
  }
  throw new Fault('METRICS_UNAVAILABLE', `${address} answers with something else than InfluxDB does: check --metrics`);
}
