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
}

/** Loaded once; kept up to date by the room's own commands, in the order of their commits. */
export function loadPublicationCache(read: ReadHandle): PublicationCache {
  const workflows = new Map<string, Partial<Record<Environment, string | null>>>();
  const limited = new Map<string, RateLimits>();
  let told: (workflowId: string, limits: RateLimits) => void = () => undefined;
  const projects = new Map<string, string>();
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
    remove: (workflowId) => void workflows.delete(workflowId),
    point(workflowId, environment, hash) {
      const pointers = workflows.get(workflowId);
      if (pointers) pointers[environment] = hash;
    },
  };
}
