import type { ProjectionExtra } from '../../../contract/vocabulary.ts';
import type { NamedStatement } from '../journal/port.ts';
import type { Tracked, TrackedChanges } from '../projection/track-changes.ts';
import type { AppliedEntry, ReplicaPosition } from './apply-turns.ts';

/** Of a snapshot, before compression. */
export const CHUNK_BYTES = 1024 * 1024;

/** A copy of a working copy that can be read in chunks. */
export interface CopyInfo extends ReplicaPosition {
  readonly bytes: number;
  readonly chunks: number;
}

/** What a snapshot is taken from. */
export interface CopySource {
  /** Makes a whole copy beside the file, which `readChunk` gives, compressed; `dropCopy` removes it. */
  copy(): Promise<CopyInfo>;
  readChunk(index: number): Promise<Uint8Array>;
  dropCopy(): Promise<void>;
}

/** The file of a master that follows the journal. It lies in a thread; nothing else has it open meanwhile. */
export interface WorkingCopy extends CopySource {
  /** Whether there was a file before it was opened. */
  readonly existed: boolean;
  position(): Promise<ReplicaPosition | null>;
  unknownStatements(entries: readonly Uint8Array[]): Promise<string[]>;
  name(statements: readonly NamedStatement[]): Promise<void>;
  apply(entries: readonly AppliedEntry[]): Promise<ReplicaPosition | null>;
  /** From now on it is not held against the owner's: it was made of the journal alone. */
  trust(): Promise<void>;
  /** Begins anew with an empty file. */
  discard(): Promise<void>;
  /** Puts a part of a snapshot where the working copy is to be; `adoptRestored` makes it so. */
  writeChunk(index: number, body: Uint8Array): Promise<void>;
  adoptRestored(): Promise<ReplicaPosition | null>;
  /** Lets the file go: whoever opens it next finds everything applied. */
  close(): Promise<void>;
}

/** One that notes which rows change in it (projection/track-changes.ts). */
export interface TrackedCopy extends WorkingCopy {
  tracked(): Promise<Tracked | null>;
  changes(most: number, extras: readonly ProjectionExtra[]): Promise<TrackedChanges>;
  written(upTo: number): Promise<void>;
  markAll(build: string): Promise<void>;
}
