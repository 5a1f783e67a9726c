import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Limits } from '../../../contract/limits.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { LogRange } from '../port.ts';
import type { LogRun, LogStore } from '../store/port.ts';

export interface LogHttpOptions {
  store: Pick<LogStore, 'insert' | 'run' | 'arrived'>;
  limits: Readonly<Limits>;
  clock: Clock;
  /** Told of every tail that is hung up on, as it is read too slowly. */
  onTailEnded?(): void;
  /** How many parts of the data are missing from an answer over this time (Unix ms; null: open). */
  warnings?(range: LogRange): number;
  /** Told of every error that was not the caller's. */
  onError(error: unknown): void;
}

/** A request of the query side. */
export interface LogQueryRequest {
  readonly tails: LogTails;
  readonly args: QueryArguments;
  readonly headers: IncomingHttpHeaders;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** `performance.now()` of its arrival. */
  readonly started: number;
  readonly options: LogHttpOptions;
  /** The time that is asked for, once its arguments were read. */
  range: LogRange;
}

/** Arguments of a request; of the same name the first counts. */
export interface QueryArguments {
  get(name: string): string | null;
  getAll(name: string): string[];
}

/** What is followed. Those who follow the same share each look at the store. */
export interface TailQuery extends Pick<LogRun, 'query' | 'extraFilters' | 'timeoutMs'> {
  readonly intervalMs: number;
  /** A line is told when it is so old: others of its time may come late. */
  readonly offsetMs: number;
}

export interface Follower {
  readonly response: ServerResponse;
  /** Lines from here on are told, Unix ms. */
  readonly from: number;
  /** Aborts when it has gone. */
  readonly signal: AbortSignal;
}

export interface LogTails {
  /** Resolves when the follower has gone; rejects where the store cannot be looked at. */
  follow(query: TailQuery, follower: Follower): Promise<void>;
}
