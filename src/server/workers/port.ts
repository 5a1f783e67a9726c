import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TokenUse, WorkerRefusal } from '../../contract/access.ts';
import type { WorkerTotals } from '../../contract/master.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Task, TaskProgress } from '../../contract/tasks.ts';
import type { Environment, WorkerState } from '../../contract/vocabulary.ts';
import type { Worker } from '../../contract/workers.ts';
import type { AuditNote } from '../access/port.ts';

export interface Workers {
  list(query: {
    page: number;
    size: number;
    sort: string;
    state?: WorkerState[];
    past?: boolean;
  }): Promise<Page<Worker>>;
  get(id: string): Promise<Worker>;
  drain(id: string, audit?: AuditNote): Promise<Worker>;
  resume(id: string, audit?: AuditNote): Promise<Worker>;
  /** Removes one that is down from the list. Throws WORKER_NOT_FOUND, WORKER_NOT_DOWN. */
  forget(id: string, audit?: AuditNote): Promise<void>;
  /** True where at least one worker is not Down. */
  readonly anyAlive: boolean;
  /** Takes over the socket of `GET /api/v1/worker`, after its token was checked. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, credential: LinkCredential): void;
  /** A connection was turned away before its socket was taken over. */
  refused(refusal: Omit<WorkerRefusal, 'at'>): void;
  /** The workers of a token, and what was turned away lately. */
  ofToken(tokenId: string): TokenUse;
  /** How far a running task is, as its worker told last; null where it told nothing under this lease. */
  progress(task: Pick<Task, 'id' | 'attempt' | 'state' | 'workerId'>): TaskProgress | null;
  overview(): WorkerTotals;
  /** Workers that fell silent without a goodbye and are still Down. `since`: when they were heard last, in milliseconds. */
  lost(): { id: string; url: string; since: number }[];
  /** Tells every worker to finish what it runs and to take no more, then waits at most `seconds`. */
  drainAll(seconds: number): Promise<void>;
  /** Tells every worker that the master stops, and closes its link. */
  disconnectAll(): void;
  close(): Promise<void>;
}

/** The token that opened a worker link. */
export interface LinkCredential {
  readonly tokenId: string;
  /** Where its connection came from; null: a socket file. */
  readonly address: string | null;
  /** Those whose tasks its workers may be given; null: all. */
  readonly environments: readonly Environment[] | null;
  /** Its workers have these, whatever they say of themselves. */
  readonly labels: Readonly<Record<string, string>>;
  /** False once it is revoked or has expired. */
  isValid(): boolean;
  /** Calls back when that may have changed. Returns what ends the calls. */
  onEnded(listener: () => void): () => void;
  /** True for a token that still opens links: what belongs to it is nobody else's. */
  isActive(tokenId: string): boolean;
}
