import type { FastifyInstance } from 'fastify';
import type { Cluster } from '../../contract/cluster.ts';
import type { LocalWorkerEnded, RunningMaster } from '../../contract/process.ts';
import type { ReadThere } from '../../lib/copy-read.ts';
import type { Store } from '../store/port.ts';
import type { DamageRegistry } from '../observability/port.ts';

/** What the rest of the master knows of the others. */
export interface ClusterView {
  /** The ID of this master: each of its answers names it. */
  readonly id: string;
  /** The last turn that the journal has; absent: there is no journal, and no standby reads for this master. */
  appended?(): number;
  /** How things stand: from memory with a single master, from PostgreSQL with several. */
  get(): Promise<Cluster>;
  /** The standby that a handover goes to: `to`, or the one with the least lag. Throws NO_STANDBY. */
  chooseStandby(to: string | null): Promise<string>;
  /** Begins to hand the state over to this standby. Who calls it is answered before this master stops to be the owner. */
  handOver(to: string): void;
  /** Has the tables for SQL written anew. Throws NO_PROJECTION. */
  rebuildProjection(): Promise<void>;
  /** Drops the tables for SQL. Throws NO_PROJECTION, PROJECTION_IN_USE. */
  dropProjection(): Promise<void>;
}

/** What a master that owns the state of a cluster is given instead of what a single one makes for itself. */
export interface OwnerSide {
  openStore(damage: Pick<DamageRegistry, 'report' | 'forget'>): Store;
  readonly view: ClusterView;
  /** The same on every master, so that whoever comes in with them is known to each. */
  readonly tokens: { readonly adminToken: string; readonly workerToken: string };
  /** Of the local file (lib/proof.ts). */
  readonly proofKey: string;
  /** Where others reach this master. */
  readonly url: string;
  /** Serves this app at the port that the master has had from its start. */
  attach(app: FastifyInstance): Promise<{ port: number; url: string; workerUrl: string; close(): Promise<void> }>;
  /** Addresses of all masters that are there, this one included. */
  masters(): readonly string[];
  /** Called where they have changed. */
  watchMasters(changed: () => void): void;
  /** Called where a local worker has ended by itself. */
  watchLocalWorkers(ended: LocalWorkerEnded): void;
  /** How long running tasks are waited for at the end; 0 where another master goes on with them. */
  drainSeconds(): number;
}

/** Reads of the working copy of a standby, in a thread. */
export interface CopyReads {
  /** The answer to an operator, without secrets. Rejects where this master cannot read it: then the owner does. */
  answer(read: ReadThere, signal: AbortSignal): Promise<string | Uint8Array>;
  close(): Promise<void>;
}

/** Opens reads of the working copy at this file; `secretsKey`: that of all masters. */
export type OpenCopyReads = (file: string, secretsKey: string) => CopyReads;

export interface OwningMaster extends RunningMaster {
  /** Event calls that wait for a job are answered 202: another master goes on with it. */
  endWaits(): void;
}
