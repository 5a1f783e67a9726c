import type { Environment } from '../../contract/vocabulary.ts';
import type { ReadHandle } from '../store/port.ts';

/** Which commit each environment of each workflow points to, in memory: the event endpoint asks here at every call. */
export interface Live {
  /** The hash, null where nothing is published, undefined where there is no such workflow (or it is archived). */
  hash(workflowId: string, environment: Environment): string | null | undefined;
  add(workflowId: string): void;
  remove(workflowId: string): void;
  point(workflowId: string, environment: Environment, hash: string | null): void;
}

/** Loaded once; kept up to date by the room's own commands, in the order of their commits. */
export function loadLive(read: ReadHandle): Live {
  const workflows = new Map<string, Partial<Record<Environment, string | null>>>();
  for (const { id } of read.query<{ id: string }>('SELECT id FROM workflow WHERE archived_at IS NULL').iterate()) workflows.set(id, {});
  for (const { workflow_id, environment, hash } of read.query<{ workflow_id: string; environment: Environment; hash: string }>('SELECT workflow_id, environment, hash FROM pointer').iterate()) {
    const pointers = workflows.get(workflow_id);
    if (pointers) pointers[environment] = hash;
  }
  return {
    hash(workflowId, environment) {
      const pointers = workflows.get(workflowId);
      return pointers === undefined ? undefined : (pointers[environment] ?? null);
    },
    add: (workflowId) => void workflows.set(workflowId, {}),
    remove: (workflowId) => void workflows.delete(workflowId),
    point(workflowId, environment, hash) {
      const pointers = workflows.get(workflowId);
      if (pointers) pointers[environment] = hash;
    },
  };
}
