import type { CallWarning, Definition, DefinitionFault } from '../../contract/definition.ts';
import type { Graph } from '../../contract/graph.ts';
import type { RateLimits, RateLimitsChange } from '../../contract/rate-limits.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { Commit, CommitDetail, EnvironmentPointer, Publication, Workflow } from '../../contract/workflows.ts';
import type { Fault } from '../../lib/fault.ts';
import type { PreparedDefinition } from '../offload/port.ts';
import type { WriteHandle } from '../store/port.ts';
import type { WorkflowCall } from './check-calls.ts';

/** A commit made ready to run: parsed once and kept (bounded cache). */
export interface Runnable {
  readonly workflowId: string;
  readonly commit: string;
  readonly definition: Definition;
  readonly graph: Graph;
  /** True where compiling the input schema would hold the event loop: its inputs are checked in the thread for large bodies. */
  readonly largeSchema?: boolean;
  /**
   * Checks one input object, with plain numbers; `errors[].pointer` is relative to the input. Returns null where it is valid. A `budget` of
   * steps is shared by the inputs of one call.
   */
  checkInput(input: unknown, budget?: { steps: number }): { pointer: string; message: string }[] | null;
}

export type Endpoint =
  | { readonly found: 'workflow-unknown' }
  | { readonly found: 'not-published' }
  | { readonly found: 'published'; readonly runnable: Runnable };

/** What else happens in the transaction of a change, before it; or why the change must not be. */
export type Precondition = (db: WriteHandle) => Fault | null;

/** Author of a change, for commits, publications and audit rows. */
export interface Actor {
  readonly name: string;
  readonly role: 'viewer' | 'operator' | 'admin' | 'worker' | null;
  readonly address: string | null;
  /** The person or service account; left out or null: nobody, or not known here. */
  readonly userId?: string | null;
}

/** Errors are `Fault`s with codes of `contract/errors.ts`. */
export interface Workflows {
  /** `within`: only those of these projects. */
  list(query: {
    page: number;
    size: number;
    sort: string;
    q?: string;
    archived?: boolean;
    within?: readonly string[] | null;
  }): Promise<Page<Workflow>>;
  /** Throws WORKFLOW_EXISTS, PROJECT_NOT_FOUND. */
  create(
    input: { id: string; name: string; description?: string | null; project?: string },
    actor: Actor,
  ): Promise<Workflow>;
  /** The project of a workflow; null: there is no such workflow. */
  projectOf(id: string): string | null;
  /** The workflows of some projects, archived ones too. */
  idsIn(projects: readonly string[]): string[];
  get(id: string): Promise<Workflow>;
  update(
    id: string,
    patch: { name?: string; description?: string | null; limits?: RateLimitsChange; project?: string },
    actor: Actor,
  ): Promise<Workflow>;
  /** Throws SECOND_PERSON_NEEDED where it is published to a protected environment. */
  archive(id: string, actor: Actor): Promise<void>;
  /** Why a version may not run in an environment (SECOND_PERSON_NEEDED); null: it may. In a protected one only what was published there ever runs. */
  neverApproved(workflowId: string, environment: Environment, hash: string): Fault | null;
  /** Faults of a definition of this workflow. */
  check(definition: Definition, workflowId: string): Promise<DefinitionFault[]>;
  /** What a definition calls and is not there to be called now. */
  callWarnings(calls: readonly WorkflowCall[]): CallWarning[];
  /** What is saved of a definition. Throws VALIDATION_FAILED where it is too large. */
  prepare(definition: Definition): Promise<PreparedDefinition>;
  commit(
    id: string,
    input: { definition: Definition; message: string; parent: string | null },
    actor: Actor,
  ): Promise<CommitDetail>;
  /** The same of a definition that was prepared in the thread. */
  commitPrepared(
    id: string,
    input: { prepared: PreparedDefinition; message: string; parent: string | null },
    actor: Actor,
  ): Promise<Commit & { faults: DefinitionFault[] }>;
  commits(id: string, query: { page: number; size: number }): Promise<Page<Commit>>;
  /** Commits of any workflow whose hash begins so. */
  commitsLike(prefix: string, most: number): { hash: string; workflowId: string; message: string }[];
  commitDetail(id: string, hashOrPrefix: string): Promise<CommitDetail>;
  /** The same as JSON text: a large definition is never parsed for it. */
  commitDetailText(id: string, hashOrPrefix: string): Promise<string>;
  /** Names a version; a tag that stands at another one is moved. */
  setTag(id: string, tag: string, hashOrPrefix: string, actor: Actor): Promise<Commit>;
  removeTag(id: string, tag: string, actor: Actor): Promise<void>;
  /** JSON text of a `CommitDiff`. */
  diffText(id: string, a: string, b: string): Promise<string>;
  /** Checks a large definition again (without arguments: all that are published) where its faults were found by another release. */
  recheck(id?: string, hashOrPrefix?: string): Promise<void>;
  environments(id: string): Promise<EnvironmentPointer[]>;
  publish(
    id: string,
    environment: Environment,
    input: { hash: string; description?: string; expected?: string | null; approvedBy?: string },
    actor: Actor,
    first?: Precondition,
  ): Promise<EnvironmentPointer>;
  unpublish(
    id: string,
    environment: Environment,
    input: { expected?: string; approvedBy?: string },
    actor: Actor,
    first?: Precondition,
  ): Promise<void>;
  publications(id: string, query: { page: number; size: number }): Promise<Page<Publication>>;
  publication(publicationId: string): (Publication & { workflowId: string }) | null;
  /** `within`: of these workflows alone; null: of all. */
  recentPublications(limit: number, within?: readonly string[] | null): (Publication & { workflowId: string })[];
  /** Limits of a workflow, from memory; null: it has none. */
  limits(workflowId: string): RateLimits | null;
  /** Tells of every workflow that has limits, now and whenever they change. */
  watchLimits(listener: (workflowId: string, limits: RateLimits) => void): void;
  /** What the event endpoint runs, from memory: no I/O on the hot path once a publication was seen. */
  endpoint(workflowId: string, environment: Environment): Endpoint;
  /** A definition without faults that is run without being saved. `keep` stores it with the job, until that is removed. */
  draft(workflowId: string, text: string): { readonly runnable: Runnable; keep(db: WriteHandle): void };
  /** When what a job runs was saved, or drafted, in milliseconds; null: there is no such job. */
  savedAt(jobId: string): number | null;
  /** The commit of a job, by full hash. Throws COMMIT_NOT_FOUND, or INVALID_DAG where it has faults. */
  runnable(workflowId: string, hashOrPrefix: string): Runnable;
}
