import { rateLimitsFrom, limitsText, type RateLimits } from '../../contract/rate-limits.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { ReadHandle } from '../store/port.ts';

/** Which commit each environment of each workflow points to, in memory: the event endpoint asks here at every call. */
export interface PublicationCache {
  /** The hash, null where nothing is published, undefined where there is no such workflow (or it is archived). */
  hash(workflowId: string, environment: Environment): string | null | undefined;
  /** Limits of a workflow; null: it has none. */
  limits(workflowId: string): RateLimits | null;
  limit(workflowId: string, limits: RateLimits): void;
  watchLimits(listener: (workflowId: string, limits: RateLimits) => void): void;
  /** The project of a workflow, archived or not; null: there is no such workflow. */
  project(workflowId: string): string | null;
  move(workflowId: string, project: string): void;
  add(workflowId: string, project: string): void;
  remove(workflowId: string): void;
  point(workflowId: string, environment: Environment, hash: string | null): void;
  /** False where nothing that is published has a node of code. Found out once after each publication; true where that would take long, or fails. */
  runsCode(): boolean;
}

/** Published definitions longer than this together are not searched: that many take some milliseconds. */
const SEARCHED_BYTES = 4 * 1024 * 1024;

/** Loaded once; kept up to date by the room's own commands, in the order of their commits. */
export function loadPublicationCache(read: ReadHandle): PublicationCache {
  const workflows = new Map<string, Partial<Record<Environment, string | null>>>();
  const limited = new Map<string, RateLimits>();
  let told: (workflowId: string, limits: RateLimits) => void = () => undefined;
  const projects = new Map<string, string>();
  let runsCode: boolean | null = null;
  for (const { id, limits, project, archived_at } of read
    .query<{ id: string; limits: string | null; project: string; archived_at: number | null }>(
      'SELECT id, limits, project, archived_at FROM workflow',
    )
    .iterate()) {
    projects.set(id, project);
    if (archived_at !== null) continue;
    workflows.set(id, {});
    if (limits !== null) limited.set(id, rateLimitsFrom(limits));
  }
  for (const { workflow_id, environment, hash } of read
    .query<{ workflow_id: string; environment: Environment; hash: string }>(
      'SELECT workflow_id, environment, hash FROM pointer',
    )
    .iterate()) {
    const pointers = workflows.get(workflow_id);
    if (pointers) pointers[environment] = hash;
  }
  return {
    hash(workflowId, environment) {
      const pointers = workflows.get(workflowId);
      return pointers === undefined ? undefined : (pointers[environment] ?? null);
    },
    limits: (workflowId) => limited.get(workflowId) ?? null,
    limit(workflowId, limits) {
      if (limitsText(limits) === null) limited.delete(workflowId);
      else limited.set(workflowId, limits);
      told(workflowId, limits);
    },
    watchLimits(listener) {
      told = listener;
      for (const [workflowId, limits] of limited) listener(workflowId, limits);
    },
    project: (workflowId) => projects.get(workflowId) ?? null,
    move: (workflowId, project) => void projects.set(workflowId, project),
    add(workflowId, project) {
      workflows.set(workflowId, {});
      projects.set(workflowId, project);
    },
    remove(workflowId) {
      workflows.delete(workflowId);
      runsCode = null;
    },
    point(workflowId, environment, hash) {
      const pointers = workflows.get(workflowId);
      if (pointers) pointers[environment] = hash;
      runsCode = null;
    },
    runsCode: () => (runsCode ??= findCode(read)),
  };
}

function findCode(read: ReadHandle): boolean {
  let bytes = 0;
  try {
    // Canonical text escapes a quote within a string: what is found is a member, hardly ever of something else than a node.
    for (const { size, code } of read
      .query<{ size: number; code: number }>(
        `SELECT octet_length(text) AS size, instr(text, '"type": "code"') AS code
         FROM version JOIN definition USING (blob) WHERE hash IN (SELECT hash FROM pointer)`,
      )
      .iterate()) {
      bytes += size;
      if (code > 0 || bytes > SEARCHED_BYTES) return true;
    }
  } catch {
    // What is damaged is told where it is run; workers join all the same.
    return true;
  }
  return false;
}
