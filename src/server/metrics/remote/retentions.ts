import type { RemoteMetricsOptions } from '../../../contract/process.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { RemoteHttp } from '../../../lib/remote-http.ts';
import { askRemote } from '../../../lib/remote-text.ts';

/** How long buckets keep their points. */
export interface Retentions {
  /** Seconds; 0: without end, or not known. */
  of(bucket: string, signal: AbortSignal): Promise<number>;
  has(bucket: string, signal: AbortSignal): Promise<boolean>;
}

const KNOWN_MS = 300_000;

/** Asked again every few minutes. Where it cannot be asked, all is read from the points. */
export function createRetentions(
  http: RemoteHttp,
  { organization }: Pick<RemoteMetricsOptions, 'organization'>,
  now: () => number,
): Retentions {
  const known = new Map<string, { readonly seconds: number | null; readonly at: number }>();

  async function look(bucket: string, signal: AbortSignal): Promise<number | null> {
    const found = known.get(bucket);
    if (found && now() - found.at < KNOWN_MS) return found.seconds;
    let seconds: number | null = null;
    try {
      const { status, text } = await askRemote(http, '/api/v2/buckets', {
        method: 'GET',
        query: { org: organization, name: bucket },
        signal,
      });
      seconds = status === 200 ? secondsOf(JSON.parse(text), bucket) : null;
    } catch {
      // The query itself says what is wrong with the store.
      return null;
    }
    known.set(bucket, { seconds, at: now() });
    return seconds;
  }

  return {
    of: async (bucket, signal) => (await look(bucket, signal)) ?? 0,
    has: async (bucket, signal) => (await look(bucket, signal)) !== null,
  };
}

/** Null: there is no such bucket. */
export function secondsOf(answer: unknown, name: string): number | null {
  if (!isRecord(answer) || !Array.isArray(answer['buckets'])) return null;
  const bucket: unknown = answer['buckets'].find((one: unknown) => isRecord(one) && one['name'] === name);
  if (!isRecord(bucket)) return null;
  const rules: unknown = bucket['retentionRules'];
  const rule: unknown = Array.isArray(rules) ? rules[0] : undefined;
  return isRecord(rule) && typeof rule['everySeconds'] === 'number' ? rule['everySeconds'] : 0;
}
