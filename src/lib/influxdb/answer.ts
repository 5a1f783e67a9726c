import { isRecord } from '../is-record.ts';
import type { RemoteText } from '../remote-text.ts';

/** What an InfluxDB says of a request that it refuses. */
export interface InfluxError {
  /** `invalid`, `unauthorized`, `not found`, … ; null: the answer is none of InfluxDB's. */
  readonly code: string | null;
  readonly message: string;
}

export function influxError({ status, text }: Pick<RemoteText, 'status' | 'text'>): InfluxError {
  try {
    const body: unknown = JSON.parse(text);
    if (isRecord(body) && typeof body['code'] === 'string')
      return { code: body['code'], message: String(body['message'] ?? body['error'] ?? body['code']) };
  } catch {
    // Something in between answered.
  }
  return { code: null, message: text.trim().replaceAll(/\s+/g, ' ').slice(0, 200) || `status ${status}` };
}

/** Why a request was refused, for somebody who has to mend it. @param what such as `bucket "metrics"` */
export function influxWords(answer: RemoteText, what: string): string {
  const { status } = answer;
  const { code, message } = influxError(answer);
  if (status >= 300 && status < 400)
    return `it answers with a redirect to ${answer.headers['location'] ?? 'another address'}: use the address that it really has`;
  if (status === 401) return `it does not accept the token (401 ${message})`;
  if (status === 403) return `the token has no access to ${what} (403 ${message})`;
  if (status === 404 && code === null)
    return `there is no API of InfluxDB 2 at this address (${message}): InfluxDB 1 and 3 cannot be used; behind a proxy, its path belongs to the address`;
  if (status === 404)
    return `${what} was not found (404 ${message}); create the buckets with \`yardmaster metrics provision\``;
  if (status === 429) return `it limits the rate of requests (429 ${message})`;
  return `it answered with ${status} (${message})`;
}
