import { putRow, readPage } from '../store/rows.ts';
import { unknownProject } from '../store/unknown-project.ts';
import { changedLimits, rateLimitsFrom, limitsText } from '../../contract/rate-limits.ts';
import { DEFAULT_PROJECT } from '../../contract/actions.ts';
import { ENVIRONMENTS, type Environment } from '../../contract/vocabulary.ts';
import type { Workflow } from '../../contract/workflows.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { ReadHandle } from '../store/port.ts';
import type { WorkflowDeps } from './deps.ts';
import type { Workflows } from './port.ts';
import { notFound, openRow, requireWorkflow, publicationPointers, workflowRow, type WorkflowRow } from './rows.ts';

const SORTS: Readonly<Record<string, string>> = {
  id: 'id',
  name: 'name COLLATE NOCASE',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/** Workflows themselves: list, create, rename, archive. */
export function createRecords({
  store,
  clock,
  feed,
  audit,
  live,
  isProtected,
}: WorkflowDeps): Pick<Workflows, 'list' | 'create' | 'get' | 'update' | 'archive' | 'projectOf' | 'idsIn'> {
  return {
    async list({ page, size, sort, q, archived, within = null }) {
      const [field = 'createdAt', direction = 'desc'] = sort.split(',');
      const order = `${SORTS[field] ?? 'created_at'} ${direction === 'asc' ? 'ASC' : 'DESC'}, id ${direction === 'asc' ? 'ASC' : 'DESC'}`;
      const where = `archived_at IS ${archived === true ? 'NOT NULL' : 'NULL'}${q === undefined ? '' : " AND (id LIKE ? ESCAPE '\\' OR name LIKE ? ESCAPE '\\')"}${within === null ? '' : ' AND project IN (SELECT value FROM json_each(?))'}`;
      const like = q === undefined ? [] : Array<string>(2).fill(`%${q.replace(/[\\%_]/g, '\\$&')}%`);
      return readPage<WorkflowRow, Workflow>(
        store.read,
        { from: `workflow WHERE ${where}`, order, values: within === null ? like : [...like, JSON.stringify(within)] },
        { page, size },
        (row) => workflowOf(store.read, row),
      );
    },

    async create({ id, name, description, project = DEFAULT_PROJECT }, actor) {
      const now = clock.now();
      const row: WorkflowRow = {
        id,
        name,
        description: description ?? null,
        head: null,
        created_at: now,
        updated_at: now,
        archived_at: null,
        limits: null,
        project,
      };
      requireWorkflow(
        await store.write((db) => {
          const known = workflowRow(db, id);
          if (known)
            return new Fault(
              'WORKFLOW_EXISTS',
              `workflow ${id} already exists${known.archived_at === null ? '' : ' in the archive'}; choose another ID`,
            );
          const lacking = unknownProject(db, project);
          if (lacking) return lacking;
          putRow(db, 'workflow', { ...row });
          audit.record(db, actor, {
            action: 'workflow.create',
            target: `workflow:${id}`,
            before: null,
            after: { name, description: row.description, ...(project === DEFAULT_PROJECT ? {} : { project }) },
          });
          return row;
        }),
      );
      live.add(id, project);
      return workflowOf(store.read, row);
    },

    projectOf: live.project,
    idsIn: (projects) =>
      store.read
        .query<{ id: string }>('SELECT id FROM workflow WHERE project IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify(projects))
        .map(({ id }) => id),

    async get(id) {
      const row = workflowRow(store.read, id);
      if (!row) throw notFound(id);
      return workflowOf(store.read, row);
    },

    async update(id, patch, actor) {
      const now = clock.now();
      const row = requireWorkflow(
        await store.write((db) => {
          const before = openRow(db, id);
          if (before instanceof Fault) return before;
          const after = {
            ...before,
            name: patch.name ?? before.name,
            description: patch.description === undefined ? before.description : patch.description,
            limits: limitsText(changedLimits(rateLimitsFrom(before.limits), patch.limits)),
            updated_at: now,
            project: patch.project ?? before.project,
          };
          const lacking = unknownProject(db, after.project);
          if (lacking) return lacking;
          db.statement(
            'UPDATE workflow SET name = ?, description = ?, limits = ?, updated_at = ?, project = ? WHERE id = ?',
          ).run(after.name, after.description, after.limits, now, after.project, id);
          audit.record(db, actor, {
            action: 'workflow.update',
            target: `workflow:${id}`,
            before: shown(before),
            after: shown(after),
          });
          return after;
        }),
      );
      live.limit(id, rateLimitsFrom(row.limits));
      live.move(id, row.project);
      return workflowOf(store.read, row);
    },

    /** Takes every environment offline and keeps the rest. */
    async archive(id, actor) {
      const now = clock.now();
      const published = requireWorkflow(
        await store.write((db) => {
          const row = openRow(db, id);
          if (row instanceof Fault) return row;
          const pointers = db
            .query<{ environment: Environment; hash: string }>(
              'SELECT environment, hash FROM pointer WHERE workflow_id = ?',
            )
            .all(id);
          // It would end what needs a second person to end.
          const held = pointers.find(({ environment }) => isProtected(environment));
          if (held)
            return new Fault(
              'SECOND_PERSON_NEEDED',
              `${id} is published to ${held.environment}, which is protected: unpublish it there first`,
            );
          const ids = pointers.map(({ environment, hash }) => {
            const publicationId = uuidv7(now);
            db.statement(
              'INSERT INTO publication (id, workflow_id, environment, hash, previous_hash, description, published_at, published_by) VALUES (?, ?, ?, NULL, ?, ?, ?, ?)',
            ).run(publicationId, id, environment, hash, 'Archived', now, actor.name);
            return publicationId;
          });
          db.statement('DELETE FROM pointer WHERE workflow_id = ?').run(id);
          db.statement('UPDATE workflow SET archived_at = ?, updated_at = ? WHERE id = ?').run(now, now, id);
          audit.record(db, actor, {
            action: 'workflow.archive',
            target: `workflow:${id}`,
            before: {
              archivedAt: null,
              environments: Object.fromEntries(
                ENVIRONMENTS.map((e) => [e, pointers.find((p) => p.environment === e)?.hash ?? null]),
              ),
            },
            after: { archivedAt: iso(now) },
          });
          return ids;
        }),
      );
      live.remove(id);
      for (const publicationId of published) feed.publish('publication', publicationId);
    },
  };
}

/** What an audit entry tells of a workflow that was changed. */
const shown = ({ name, description, limits, project }: WorkflowRow) => ({
  name,
  description,
  limits: rateLimitsFrom(limits),
  ...(project === DEFAULT_PROJECT ? {} : { project }),
});

function workflowOf(db: ReadHandle, row: WorkflowRow): Workflow {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    project: row.project,
    head: row.head,
    environments: publicationPointers(db, row.id),
    limits: rateLimitsFrom(row.limits),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    archivedAt: isoOrNull(row.archived_at),
  };
}
