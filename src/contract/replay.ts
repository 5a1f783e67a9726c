import type { Definition } from './definition.ts';
import type { LeasedSecret, WorkerLimits } from './worker-protocol.ts';

/**
 * Replays: one input run through a definition outside of the engine, in a process that the master starts. No job and no
 * task is made for it. What reaches outside is answered by what was recorded of an earlier run.
 */

export interface ReplayError {
  readonly code: string;
  readonly message: string;
}

/** What a node came to in one replica of a job, or for one item of its list. Texts are JSON. */
export interface RecordedEnd {
  readonly input: string;
  readonly output: string | null;
  readonly error: ReplayError | null;
}
export interface RecordedNode extends RecordedEnd {
  readonly type: string;
  /** Time that it ran, without its waits; null where it is not known. */
  readonly ms: number | null;
}

/** One replica of a job, as its tasks tell it. */
export interface Recording {
  readonly output: string | null;
  readonly failure: (ReplayError & { readonly node: string }) | null;
  readonly nodes: Readonly<Record<string, RecordedNode>>;
  /** Ends of items by node, of the lists that were asked for. */
  readonly items: Readonly<Record<string, readonly (RecordedEnd & { readonly item: number })[]>>;
}

export interface ReplayRequest {
  readonly definition: Definition;
  readonly workflowId: string;
  /** JSON text. */
  readonly input: string;
  /** Why the definition does not take this input; null: it does. */
  readonly refused: string | null;
  /** JSON text of a `Recording`. */
  readonly recording: string;
  /** Configurations of the nodes that reach outside, in the commit that was recorded: JSON texts by node. */
  readonly configs: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, LeasedSecret>>;
  /** Seconds that a node may run where it does not say. */
  readonly runTimeoutSeconds: number;
  readonly limits: WorkerLimits;
  /** JSONata on the output, whose truth is told. */
  readonly holds?: string;
}

/** One place where two JSON values differ. `path` is an RFC 6901 pointer; the values are JSON texts, cut where they are long; null: absent. */
export interface Difference {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: string | null;
  readonly after: string | null;
}

export interface Differences {
  readonly items: readonly Difference[];
  /** The paths with `*` for every index, each once. */
  readonly patterns: readonly string[];
  readonly total: number;
  /** False where there are more than were looked at. */
  readonly complete: boolean;
}

export interface ReplayResult {
  /** What it came to when it was recorded; the output is null too where the same came out now. */
  readonly recorded: Pick<Recording, 'output' | 'failure'>;
  readonly output: string | null;
  readonly failure: (ReplayError & { readonly node: string }) | null;
  /** It could not go on: nothing was recorded for a node that reaches outside. */
  readonly missing: { readonly node: string; readonly message: string } | null;
  /** Recorded answers that were given although the question was another one. */
  readonly assumptions: readonly { readonly node: string; readonly message: string }[];
  /** Time of the nodes that ran here, and of the same nodes when they were recorded. */
  readonly ms: number;
  readonly recordedMs: number | null;
  readonly differences: Differences;
  /** Nodes that it came to. */
  readonly reached: readonly string[];
  /** Edges that it took, in the order of the definition. */
  readonly taken: readonly { readonly from: string; readonly to: string; readonly port?: string }[];
  /** Whether `holds` is truthy, or why that is not known; null: it was not asked, or there is no output. */
  readonly holds: boolean | string | null;
}
