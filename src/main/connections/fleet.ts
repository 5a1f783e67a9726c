import { errorMessage } from '../../lib/errors.ts';
import type { ClusterStatus, FleetSearch } from '../../contract/desktop.ts';
import { type ApiRequest, createApiClient } from '../../lib/api-client.ts';
import {
  downStatus,
  CLUSTER_TIMEOUT_MS,
  type ClusterReader,
  readClusterStatus,
  searchCluster,
} from '../../lib/fleet.ts';
import { readJsonBody } from './read-response.ts';
import type { Target } from './connections.ts';

export interface FleetDeps {
  /** By the way of that connection. */
  fetch(target: Target, url: string, init: RequestInit): Promise<Response>;
  /** Address and token of a connection, or why it cannot be asked now; null: there is no such connection. */
  target(id: string): Target | { unavailable: string } | null;
  /** Milliseconds that only go forward. */
  since(): number;
  patienceMs?: number;
}

/**
 * Asks any connection for the console, which never sees a token. Each request has a time limit of its own; a newer one of
 * the same kind to the same cluster ends the one before, so that a frozen cluster holds a few sockets, not ever more.
 */
export function createFleet({ fetch, target, since, patienceMs = CLUSTER_TIMEOUT_MS }: FleetDeps) {
  const running = new Map<string, AbortController>();

  async function alone<T>(
    kind: string,
    id: string,
    work: (parts: ClusterReader) => Promise<T>,
    otherwise: (why: string) => T,
  ): Promise<T> {
    const to = target(id);
    if (to === null) return otherwise(`connection "${id}" not found: it may have been removed`);
    if ('unavailable' in to) return otherwise(to.unavailable);
    const name = `${kind} ${id}`;
    running.get(name)?.abort();
    const own = new AbortController();
    running.set(name, own);
    const late = AbortSignal.timeout(patienceMs);
    const signal = AbortSignal.any([own.signal, late]);
    try {
      return await work({
        since,
        answer: createApiClient((request) => send(to, request, signal)).answer,
        read: readJsonBody,
        why: (error) =>
          late.aborted
            ? `no response within ${patienceMs / 1000} s`
            : own.signal.aborted
              ? 'replaced by a newer request'
              : describeError(error),
      });
    } finally {
      if (running.get(name) === own) running.delete(name);
    }
  }

  const send = (to: Target, { method, path, headers }: ApiRequest, signal: AbortSignal) =>
    fetch(to, `${to.url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${to.token}` },
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });

  return {
    look: (id: string): Promise<ClusterStatus> => alone('look', id, readClusterStatus, downStatus),
    search: (id: string, text: string): Promise<FleetSearch> =>
      alone(
        'search',
        id,
        (parts) => searchCluster(parts, text),
        (problem) => ({ hits: [], problem }),
      ),
  };
}
export type Fleet = ReturnType<typeof createFleet>;

/** What a failed request means; the codes are those of Chromium and of Node. */
function describeError(error: unknown): string {
  const text = errorMessage(error instanceof Error && error.cause instanceof Error ? error.cause : error);
  if (/CONNECTION_REFUSED|ECONNREFUSED/.test(text)) return 'connection refused: no master listens there';
  if (/NAME_NOT_RESOLVED|ENOTFOUND|EAI_AGAIN/.test(text)) return 'unknown host: check the spelling and the network';
  if (/CERT|SELF_SIGNED/.test(text)) return 'untrusted certificate: test the connection in Settings, Connections';
  if (/UNREACHABLE|DISCONNECTED|TIMED_OUT|ETIMEDOUT/.test(text)) return 'not reachable from this machine';
  return text;
}
