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
    .query<PublicationRow & { number: number }>(
      `SELECT publication.*, (SELECT count(*) FROM version p JOIN version v ON v.workflow_id = p.workflow_id AND v.seq <= p.seq WHERE p.hash = publication.hash) AS number
       FROM pointer JOIN publication ON publication.id = pointer.publication_id WHERE pointer.workflow_id = ?`,
    )
    .all(workflowId);
  return ENVIRONMENTS.map((environment) => {
    const row = rows.find((r) => r.environment === environment);
    return row
      ? {
          environment,
          hash: row.hash,
          number: row.hash === null ? null : row.number,
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
  const number = db
    .query<{ n: number }>('SELECT count(*) AS n FROM version WHERE workflow_id = ? AND seq <= ?')
    .get(row.workflow_id, row.seq)?.n;
  const tags = db.query<{ tag: string }>('SELECT tag FROM version_tag WHERE hash = ? ORDER BY tag').all(row.hash);
  return {
    hash: row.hash,
    ...(number !== undefined && { number }),
    tags: tags.map(({ tag }) => tag),
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

/** A publication with the numbers of its versions, for a list that people read. */
export function numberedPublication(db: ReadHandle, row: PublicationRow): Publication {
  const number = (hash: string | null): number | null =>
    hash === null
      ? null
      : db
          .query<{ n: number }>(
            'SELECT count(p.seq) AS n FROM version v JOIN version p ON p.workflow_id = v.workflow_id AND p.seq <= v.seq WHERE v.hash = ?',
          )
          .get(hash)?.n || null;
  return { ...publicationView(row), number: number(row.hash), previousNumber: number(row.previous_hash) };
}

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

/**
 * The version that somebody names: by its hash or an unambiguous prefix, by a tag, or by its number (`12` or `v12`). A tag is
 * never read as a hash (`VERSION_TAG`), and wins over a number. Throws COMMIT_NOT_FOUND, COMMIT_AMBIGUOUS.
 */
export function findVersion(db: ReadHandle, workflowId: string, name: string): VersionRow {
  // Short digits are a number.
  if (/^[0-9a-f]{4,40}$|^\d*[a-f][0-9a-f]*$/.test(name)) {
    const rows = db
      .query<VersionRow>(
        "SELECT * FROM version WHERE workflow_id = ? AND hash >= ? AND hash < ? || 'g' ORDER BY hash LIMIT 2",
      )
      .all(workflowId, name, name);
    if (rows.length > 1)
      throw new Fault('COMMIT_AMBIGUOUS', `several commits of ${workflowId} start with ${name}; enter more digits`);
    if (rows[0] !== undefined) return rows[0];
  }
  const tagged = db
    .query<VersionRow>(
      'SELECT version.* FROM version_tag JOIN version ON version.hash = version_tag.hash WHERE version_tag.workflow_id = ? AND tag = ?',
    )
    .get(workflowId, name);
  if (tagged) return tagged;
  const [, digits] = /^[vV]?([1-9]\d{0,8})$/.exec(name) ?? [];
  const numbered =
    digits === undefined
      ? undefined
      : db
          .query<VersionRow>('SELECT * FROM version WHERE workflow_id = ? ORDER BY seq LIMIT 1 OFFSET ?')
          .get(workflowId, Number(digits) - 1);
  if (numbered) return numbered;
  throw new Fault('COMMIT_NOT_FOUND', `commit ${name} not found in workflow ${workflowId}`);
}

/** Hands a result on, and throws what a command found wrong (it returns faults, so that the other commands of its transaction stand). */
export function requireWorkflow<T>(result: T | Fault): T {
  if (result instanceof Fault) throw result;
  return result;
}
