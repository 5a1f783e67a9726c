import type { RemoteHttp } from '../../../lib/remote-http.ts';
import { askRemote, networkWords, type RemoteText } from '../../../lib/remote-text.ts';
import type { Sent, Target } from '../remote/delivery.ts';

const HEADERS = {
  'content-type': 'application/x-protobuf',
  'content-encoding': 'snappy',
  'x-prometheus-remote-write-version': '0.1.0',
  'user-agent': 'yardmaster',
};
/** Statuses that speak of the way to the receiver or of its state, never of the samples. */
const LATER = new Set([401, 403, 404, 405, 407, 408, 421, 425, 429]);
const REASON_CHARACTERS = 300;

/** Posts write requests to a receiver of Prometheus remote write. */
export function createRemoteWriteTarget(http: RemoteHttp): Target {
  return {
    async send(body, items, signal) {
      try {
        return judge(await askRemote(http, '', { method: 'POST', headers: HEADERS, body, signal }), items);
      } catch (error) {
        return { kind: 'later', why: networkWords(error), afterMs: null };
      }
    },
    close: () => http.close(),
  };
}

function judge({ status, text, retryAfterMs }: RemoteText, items: number): Sent {
  if (status >= 200 && status < 300) return { kind: 'stored', lost: 0, reason: null };
  const said = text.trim().replaceAll(/\s+/g, ' ').slice(0, REASON_CHARACTERS) || `status ${status}`;
  // A page of HTML is from something in between.
  const isLater = status < 400 || status >= 500 || LATER.has(status) || said.startsWith('<');
  if (isLater) return { kind: 'later', why: wordsOf(status, said), afterMs: retryAfterMs };
  // Samples that are too old or out of order stay so: by the protocol nothing else is repeated.
  return { kind: 'stored', lost: items, reason: `${status} ${said}` };
}

function wordsOf(status: number, said: string): string {
  if (status >= 300 && status < 400) return 'it answers with a redirect: use the address that it really has';
  if (status === 401) return `it does not accept the credentials (401 ${said})`;
  if (status === 403) return `the credentials have no access (403 ${said})`;
  if (status === 404 || status === 405) return `it does not take remote write at this path (${status} ${said})`;
  if (status === 429) return `it limits the rate of requests (429 ${said})`;
  return `it answered with ${status} (${said})`;
}
