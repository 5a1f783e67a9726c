import type { MaskPath } from '../../lib/mask-paths.ts';
import type { DefinitionFault as GraphFault, GraphWarning } from '../../contract/definition.ts';
import type { WorkerFrame } from '../../contract/worker-protocol.ts';
import type { PackedInputs } from '../../lib/packed-inputs.ts';
import type { NamedSecret } from '../../lib/redact.ts';

/** An input schema, which the thread compiles once for each commit and keeps. */
export interface SchemaRequest {
  readonly commit: string;
  /** Its JSON text. */
  readonly schema: string;
}

/** A definition as it is saved: its canonical text, and its faults. */
export interface PreparedDefinition {
  readonly text: string;
  /** The name that it gives its workflow. */
  readonly name: string;
  readonly faults: GraphFault[];
  /** The workflows that it calls, and where. */
  readonly calls: readonly { readonly pointer: string; readonly workflowId: string; readonly environment: string }[];
  /** Ports of its conditions that lead nowhere. */
  readonly graphWarnings: readonly GraphWarning[];
}

/** What came of a large body: of a batch job its inputs, of a definition its text and faults, of a draft run both; else nothing, and it may be parsed as any other. */
export type CheckedBody =
  | { readonly kind: 'batch'; readonly fields: Record<string, unknown>; readonly inputs: PackedInputs }
  | { readonly kind: 'definition'; readonly fields: Record<string, unknown>; readonly prepared: PreparedDefinition }
  | {
      readonly kind: 'draft';
      readonly fields: Record<string, unknown>;
      readonly prepared: PreparedDefinition;
      readonly places: readonly number[];
      readonly inputs: PackedInputs;
    }
  | { readonly kind: 'plain' };

/** A list as an array of the JSON texts of its items, itself a JSON text: one string to copy, however many there are. */
export interface ListText {
  readonly length: number;
  readonly texts: string;
}

/**
 * A frame as the thread hands it over: without its list, which comes in parts (`v8.serialize`), in which an output is a JSON
 * text and a list one text; or what is wrong with it.
 */
export type FrameText =
  | { readonly frame: WorkerFrame<ListText>; readonly parts: readonly Uint8Array[] }
  | { readonly fault: string };

/** The body of a delivery to a webhook. */
export interface DecodedBody {
  readonly kind: 'none' | 'json' | 'form' | 'multipart' | 'text' | 'binary';
  /** JSON text of what it says: bytes as base64. */
  readonly text: string;
  /** The text under the member that was asked for; null: there is none. */
  readonly id: string | null;
}

/**
 * What the thread does: all that costs time with the size of what was sent. Each throws the `Fault` that the event loop
 * would have thrown. Arguments and results are copied between the threads; bytes are moved.
 */
export interface OffloadWork {
  /** Parses the body of an event call and checks its inputs. */
  event(ask: { body: Uint8Array; schema: SchemaRequest | null }): { bodyHash: string; inputs: PackedInputs };
  /** Parses a body and checks it with path and query by the schemas of its route. */
  body(ask: { route: string; params: unknown; query: unknown; body: Uint8Array }): CheckedBody;
  /** What the body of a delivery says, as JSON text. */
  hookBody(ask: { body: Uint8Array; type: string; idMember: string | null }): DecodedBody;
  /** Checks inputs that were packed before. */
  inputs(ask: { inputs: PackedInputs; schema: SchemaRequest | null }): null;
  /** What is saved of a definition. */
  prepare(ask: { text: string }): PreparedDefinition;
  /** Faults of a definition that is saved. */
  definition(ask: { text: string }): GraphFault[];
  /** What leads from one saved definition to another, as the members of a JSON object. */
  diff(ask: { from: string; to: string }): string;
  /** A text of an incident bundle without what is secret. */
  redactBundleText(ask: { kind: 'whole' | 'answer' | 'lines' | 'records'; json: Uint8Array }): Uint8Array;
  /** What an operator is shown of an answer; `whole`: of one that is a payload from end to end. */
  redactResponse(ask: { whole: boolean; json: Uint8Array; masks: readonly MaskPath[] | null }): Uint8Array;
  /** A frame of a worker. */
  frame(ask: { data: Uint8Array; items: number }): FrameText;
}

export interface Offload {
  /** Rejects with the fault of the work, with OVERLOADED where too much waits, and where the thread ended. */
  call<M extends keyof OffloadWork>(
    method: M,
    ask: Parameters<OffloadWork[M]>[0],
    moved?: readonly Uint8Array[],
  ): Promise<ReturnType<OffloadWork[M]>>;
  /** The values that the thread is to find, from now on. */
  redact(secrets: readonly NamedSecret[]): void;
  close(): Promise<void>;
}

/** What the threads of one name take, as of the last look. */
export interface ThreadUsage {
  /** As the system lists it; `main` for the event loop. */
  readonly thread: string;
  /** V8's heap, and the buffers that its objects hold. */
  readonly memoryBytes: number;
  /** Cores in use since the look before; null: there was none. */
  readonly cpuUsage: number | null;
}

/** What each thread of this process takes. */
export interface ThreadUsages {
  /** Asks all of them. One that is busy answers when it can, and is not asked again until then. */
  look(): void;
  /** Of threads that have answered once. */
  list(): ThreadUsage[];
}
