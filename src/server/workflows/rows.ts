import { parseStored } from '../../lib/json.ts';
import type { DefinitionFault as GraphFault } from '../../contract/definition.ts';
import { ENVIRONMENTS, type Environment } from '../../contract/vocabulary.ts';
import type { Commit, EnvironmentPointer, Publication } from '../../contract/workflows.ts';
import { iso } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { ReadHandle } from '../store/port.ts';

export interface WorkflowRow {
  id: string;
  name: string;
  description: string | null;
  head: string | null;
  created_at: number;
  updated_at: number;
  archived_at: number | null;
  limits: string | null;
  project: string;
}

export interface VersionRow {
  seq: number;
  hash: string;
  workflow_id: string;
  parent: string | null;
  blob: string;
  message: string;
  author_name: string;
  author_email: string;
  created_at: number;
  faults: string;
  /** Which checker found them. */
  checker: number;
}

export interface PublicationRow {
  id: string;
  workflow_id: string;
  environment: Environment;
  hash: string | null;
  previous_hash: string | null;
  description: string | null;
  published_at: number;
  published_by: string;
  /** Null: nobody had to. */
  approved_by: string | null;
}

export const notFound = (id: string): Fault =>
  new Fault('WORKFLOW_NOT_FOUND', `workflow ${JSON.stringify(id.slice(0, 100))} not found`, {
    extra: { workflowId: id.slice(0, 100) },
  });

export const workflowRow = (db: ReadHandle, id: string): WorkflowRow | undefined =>
  db.query<WorkflowRow>('SELECT * FROM workflow WHERE id = ?').get(id);

/** The row of a workflow that takes changes: one that is not archived. */
export function openRow(db: ReadHandle, id: string): WorkflowRow | Fault {
  const row = workflowRow(db, id);
  return row && row.archived_at === null ? row : notFound(id);
}

/** What each environment points to: always all three. */
export function publicationPointers(db: ReadHandle, workflowId: string): EnvironmentPointer[] {
  const rows = db
    .query<PublicationRow>(
      'SELECT publication.* FROM pointer JOIN publication ON publication.id = pointer.publication_id WHERE pointer.workflow_id = ?',
    )
    .all(workflowId);
  return ENVIRONMENTS.map((environment) => {
    const row = rows.find((r) => r.environment === environment);
    return row
      ? {
          environment,
          hash: row.hash,
          description: row.description,
          publishedAt: iso(row.published_at),
          publishedBy: row.published_by,
        }
      : { environment, hash: null, description: null, publishedAt: null, publishedBy: null };
  });
}

export function commitView(db: ReadHandle, row: VersionRow): Commit {
  const environments = db
    .query<{ environment: Environment }>('SELECT environment FROM pointer WHERE workflow_id = ? AND hash = ?')
    .all(row.workflow_id, row.hash)
    .map((p) => p.environment);
  const restored = db
    .query<{ hash: string }>(
      'SELECT hash FROM version WHERE workflow_id = ? AND blob = ? AND seq < ? ORDER BY seq DESC LIMIT 1',
    )
    .get(row.workflow_id, row.blob, row.seq);
  const latest = db
    .query<{ description: string | null }>(
      'SELECT description FROM publication WHERE hash = ? ORDER BY id DESC LIMIT 1',
    )
    .get(row.hash);
  return {
    hash: row.hash,
    parent: row.parent,
    restores: restored === undefined || restored.hash === row.parent ? null : restored.hash,
    message: row.message,
    author: { name: row.author_name, email: row.author_email },
    createdAt: iso(row.created_at),
    description: latest?.description ?? null,
    environments: ENVIRONMENTS.filter((e) => environments.includes(e)),
    valid: row.faults === '[]',
  };
}

export const definitionFaults = (row: Pick<VersionRow, 'faults'>): GraphFault[] =>
  parseStored<GraphFault[]>(row.faults);

export function publicationView(row: PublicationRow): Publication {
  return {
    id: row.id,
    environment: row.environment,
    hash: row.hash,
    previousHash: row.previous_hash,
    description: row.description,
    publishedAt: iso(row.published_at),
    publishedBy: row.published_by,
    ...(row.approved_by !== null && { approvedBy: row.approved_by }),
  };
}

/** The version that a hash or an unambiguous prefix names. Throws COMMIT_NOT_FOUND, COMMIT_AMBIGUOUS. */
export function findVersion(db: ReadHandle, workflowId: string, hashOrPrefix: string): VersionRow {
  const rows = db
    .query<VersionRow>(
      "SELECT * FROM version WHERE workflow_id = ? AND hash >= ? AND hash < ? || 'g' ORDER BY hash LIMIT 2",
    )
    .all(workflowId, hashOrPrefix, hashOrPrefix);
  if (rows[0] === undefined)
    throw new Fault('COMMIT_NOT_FOUND', `commit ${hashOrPrefix} not found in workflow ${workflowId}`);
  if (rows.length > 1)
    throw new Fault(
      'COMMIT_AMBIGUOUS',
      `several commits of ${workflowId} start with ${hashOrPrefix}; enter more digits`,
    );
  return rows[0];
}

/** Hands a result on, and throws what a command found wrong (it returns faults, so that the other commands of its transaction stand). */
export function requireWorkflow<T>(result: T | Fault): T {
  if (result instanceof Fault) throw result;
  return result;
}
