import type { Semaphore } from '../../../lib/semaphore.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Limits } from '../../../contract/limits.ts';
import type { Role } from '../../../contract/vocabulary.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { AuditItem } from '../../access/port.ts';
import type { MetricStore } from '../store/port.ts';

export interface InfluxHttpOptions {
  readonly store: MetricStore;
  readonly limits: Readonly<Limits>;
  readonly clock: Clock;
  /** Why the store refuses writes; null: it takes them. */
  refusing(): string | null;
  /** Writes an entry of the audit log. */
  audit(actor: Requester, item: AuditItem): Promise<void>;
  /** Told of every error that was not the caller's. */
  onError(error: unknown): void;
}

/** Who asks, as the audit log names them. */
export interface Requester {
  readonly name: string;
  readonly role: Role;
  readonly address: string | null;
}

/** A request on its way through this surface. */
export interface InfluxRequest extends InfluxHttpOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Parts of the path that the route leaves open. */
  readonly params: readonly string[];
  readonly heldBytes: HeldBytes;
  /** Null: nobody needs to say. */
  readonly asker: Requester | null;
  /** Unix ms of the surface's own start. */
  readonly startedAt: number;
  /** Aborts when the caller has gone, or the surface closes. */
  readonly signal: AbortSignal;
  /** Waits until the query may run; what it resolves to is called when it is over. */
  readonly acquire: Semaphore['acquire'];
}

/** Bytes of bodies that are held at the moment, over all requests. */
export interface HeldBytes {
  bytes: number;
  readonly most: () => number;
}
