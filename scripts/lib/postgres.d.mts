export interface PostgresChoices {
  folder: string;
  port?: number;
  settings?: Record<string, string>;
  durable?: boolean;
  template?: boolean;
  remove?: boolean;
}

export interface Postgres {
  /** With name and password of the superuser; database `postgres`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly folder: string;
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  log(): string;
}

export function startPostgres(choices: PostgresChoices): Promise<Postgres>;
export function freePort(): Promise<number>;
