import { isRecord } from './is-record.ts';
import { errorCode, errorMessage } from './errors.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** Several addresses of the masters of one cluster: a request goes to the one that served last, and moves on where that ends. */

/** How long a request waits in all while no master owns the state: a failover takes about two seconds, at worst a lease and a start. */
const PATIENCE_MS = 15_000;
const LONGEST_WAIT_MS = 5000;
/** After so long without an answer the master is asked whether it lives. */
const SILENT_MS = 3000;
const HEALTH_MS = 2000;
/** A timer may be so much too early. */
const TIMER_MS = 2;
/** What a problem document may measure. */
const MOST_BYTES = 65_536;

export interface AnyMaster {
  /** The address that the next request goes to. */
  current(): string;
  /**
   * Sends a request to the current address, and to the others in turn while it cannot be reached or says for longer than its
   * `Retry-After` that nobody owns the state. What may have been done already (also behind such an answer: an owner may have lost
   * the state just then) is repeated only where `repeatable`.
   * Rejects with the last error where no address can be reached.
   */
  send<T>(request: AnyRequest<T>): Promise<T>;
}

export interface AnyRequest<T> {
  /** True where a request that may have arrived does no harm a second time. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | null | undefined;
  attempt(address: string, signal: AbortSignal): Promise<T>;
  /** Milliseconds to wait where the answer is that nobody owns the state; null: it is another answer. */
  waitOf(answer: T): Promise<number | null>;
}

export interface AnyMasterOptions {
  /** True where a master at this address answers at all. */
  isAlive(address: string, signal: AbortSignal): Promise<boolean>;
  now?: () => number;
  silentMs?: number;
}

/** `addresses`: at least one, without a slash at the end. */
export function createAnyMaster(
  addresses: readonly string[],
  { isAlive, now = () => performance.now(), silentMs = SILENT_MS }: AnyMasterOptions,
): AnyMaster {
  let index = 0;
  /** Who said that nobody owns the state, and until when it had asked to wait. */
  let orphaned: { readonly address: string; readonly until: number } | null = null;
  const current = () => addresses[index % addresses.length] ?? '';
  // Requests that fail at the same time move on once.
  const moveOnFrom = (address: string) => void (current() === address && (index = (index + 1) % addresses.length));

  /** Leaves who has had no owner for longer than it asked to wait. `wait` null: it answers. */
  function noteOwner(address: string, wait: number | null): void {
    if (wait === null) {
      if (orphaned?.address === address) orphaned = null;
    } else if (orphaned?.address !== address) orphaned = { address, until: now() + wait - TIMER_MS };
    else if (now() >= orphaned.until) {
      orphaned = null;
      moveOnFrom(address);
    }
  }

  /** One attempt, which ends where the master turns out to be gone without a word: switched off, frozen, or cut off. */
  async function tryAt<T>(address: string, { attempt, signal }: AnyRequest<T>): Promise<T> {
    const gone = new AbortController();
    const own = signal ? AbortSignal.any([signal, gone.signal]) : gone.signal;
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lookLater = () => (timer = setTimeout(() => void look(), silentMs));
    const look = async () => {
      const alive = await isAlive(address, AbortSignal.timeout(HEALTH_MS)).catch(() => false);
      if (ended) return;
      if (alive) lookLater();
      else gone.abort(new Error(`${address} does not respond`));
    };
    if (addresses.length > 1) lookLater();
    try {
      return await attempt(address, own);
    } finally {
      ended = true;
      clearTimeout(timer);
    }
  }

  return {
    current,
    async send(request) {
      const until = now() + PATIENCE_MS;
      for (let failed = 0; ;) {
        const address = current();
        let answer;
        try {
          answer = await tryAt(address, request);
        } catch (error) {
          if (request.signal?.aborted) throw error;
          moveOnFrom(address);
          const tries = request.repeatable && wasCut(error) ? Math.max(2, addresses.length) : addresses.length;
          if (++failed >= tries || !(request.repeatable || neverArrived(error))) throw error;
          continue;
        }
        failed = 0;
        const wait = await request.waitOf(answer);
        noteOwner(address, wait);
        if (wait === null || !request.repeatable || now() + wait > until) return answer;
        await pause(Math.min(wait, LONGEST_WAIT_MS), request.signal);
      }
    },
  };
}

/** Whether a request with this method and these headers does no harm a second time. */
export const isRepeatable = (method: string, headers: Headers): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');

/** For `waitOf` of answers of `fetch`: those that say so are read, any other stays as it is. */
export async function noOwnerWait(answer: Response): Promise<number | null> {
  if (answer.status !== 503 || !(answer.headers.get('content-type') ?? '').includes('json')) return null;
  if (codeIn(await shortText(answer.clone())) !== 'NO_OWNER') return null;
  return (retryAfterSeconds(answer.headers.get('retry-after'), Date.now()) ?? 1) * 1000;
}

/** No connection was made, so that nothing can have been done: by the codes of Node and of Chromium. */
export function neverArrived(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|ERR_(CONNECTION_REFUSED|NAME_NOT_RESOLVED|ADDRESS_UNREACHABLE|CONNECTION_TIMED_OUT|INTERNET_DISCONNECTED|PROXY_CONNECTION_FAILED|TUNNEL_CONNECTION_FAILED|CERT_\w+)/.test(
    errorCode(cause) ?? errorMessage(cause),
  );
}

/** The connection ended before its answer: a kept one, which the master closed as idle in the same moment, tells nothing about the master. */
function wasCut(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$|ERR_(EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED))/.test(
    errorCode(cause) ?? errorMessage(cause),
  );
}

function codeIn(text: string): unknown {
  try {
    const problem: unknown = JSON.parse(text);
    return isRecord(problem) ? problem['code'] : null;
  } catch {
    return null;
  }
}

/** The text of an answer; its beginning where it is longer than a problem document would be. */
async function shortText(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader !== undefined && text.length < MOST_BYTES) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  // Not awaited: of two readers of one stream the first to leave waits for the other.
  void reader?.cancel();
  return text;
}

function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
