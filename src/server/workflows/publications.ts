import { putRow, readPage } from '../store/rows.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { Publication } from '../../contract/workflows.ts';
import { iso } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { WriteHandle } from '../store/port.ts';
import type { WorkflowDeps } from './deps.ts';
import type { Actor, Workflows } from './port.ts';
import { refuseAlone } from './protection.ts';
import { createRecheck } from './recheck.ts';
import {
  definitionFaults,
  findVersion,
  notFound,
  numberedPublication,
  openRow,
  requireWorkflow,
  publicationPointers,
  publicationView,
  workflowRow,
  type PublicationRow,
} from './rows.ts';
import { invalid } from './runnables.ts';

type Room = Pick<
  Workflows,
  'environments' | 'publish' | 'unpublish' | 'publications' | 'publication' | 'recentPublications'
>;

/** What each environment points to, and the log of it. A change holds for the very next call of the endpoint. */
export function createPublications(deps: WorkflowDeps): Room {
  const { store, clock, feed, audit, live, runnables, check, offload } = deps;
  const { read } = store;
  const recheck = createRecheck({ store, check, offload, runnables });

  const current = (db: WriteHandle, id: string, environment: Environment) =>
    db
      .query<{ hash: string }>('SELECT hash FROM pointer WHERE workflow_id = ? AND environment = ?')
      .get(id, environment)?.hash ?? null;

  function log(
    db: WriteHandle,
    of: Pick<
      PublicationRow,
      'id' | 'workflow_id' | 'environment' | 'hash' | 'previous_hash' | 'description' | 'approved_by'
    >,
    now: number,
    actor: Actor,
  ): void {
    const row: PublicationRow = { ...of, published_at: now, published_by: actor.name };
    putRow(db, 'publication', { ...row });
    db.statement('UPDATE workflow SET updated_at = ? WHERE id = ?').run(row.published_at, row.workflow_id);
    audit.record(db, actor, {
      action: row.hash === null ? 'workflow.unpublish' : 'workflow.publish',
      target: `workflow:${row.workflow_id}`,
      before: { environment: row.environment, hash: row.previous_hash },
      after: {
        environment: row.environment,
        hash: row.hash,
        description: row.description,
        ...(row.approved_by !== null && { approvedBy: row.approved_by }),
      },
    });
  }

  return {
    async environments(id) {
      if (!workflowRow(read, id)) throw notFound(id);
      return publicationPointers(read, id);
    },

    async publish(id, environment, { hash: wanted, description, expected, approvedBy = null }, actor, first) {
      if (live.hash(id, environment) === undefined) throw notFound(id);
      await recheck(id, wanted);
      const version = findVersion(read, id, wanted);
      if (version.faults !== '[]') throw invalid(version.hash, definitionFaults(version));
      // Compiled before it is live: the first call does not wait, and a commit that this master cannot run is never published.
      runnables.get(version.hash, () => version);
      const now = clock.now();
      const { hash } = version;
      const publicationId = uuidv7(now);
      requireWorkflow(
        await store.write((db) => {
          const workflow = openRow(db, id);
          if (workflow instanceof Fault) return workflow;
          const previous = current(db, id, environment);
          if (expected !== undefined && expected !== previous) return moved(environment, expected, previous);
          const refused = first ? first(db) : refuseAlone(deps, id, environment);
          if (refused) return refused;
          const told = { hash, previous_hash: previous, description: description ?? null, approved_by: approvedBy };
          log(db, { id: publicationId, workflow_id: id, environment, ...told }, now, actor);
          db.statement(
            'INSERT INTO pointer (workflow_id, environment, hash, publication_id) VALUES (?, ?, ?, ?) ON CONFLICT (workflow_id, environment) DO UPDATE SET hash = excluded.hash, publication_id = excluded.publication_id',
          ).run(id, environment, hash, publicationId);
          return null;
        }),
      );
      live.point(id, environment, hash);
      feed.publish('publication', publicationId);
      return { environment, hash, description: description ?? null, publishedAt: iso(now), publishedBy: actor.name };
    },

    async unpublish(id, environment, { expected, approvedBy = null }, actor, first) {
      const now = clock.now();
      const publicationId = uuidv7(now);
      requireWorkflow(
        await store.write((db) => {
          const workflow = openRow(db, id);
          if (workflow instanceof Fault) return workflow;
          const previous = current(db, id, environment);
          if (previous === null) return new Fault('NOT_PUBLISHED', `workflow ${id} is not published to ${environment}`);
          if (expected !== undefined && expected !== previous) return moved(environment, expected, previous);
          const refused = first ? first(db) : refuseAlone(deps, id, environment);
          if (refused) return refused;
          const told = { hash: null, previous_hash: previous, description: null, approved_by: approvedBy };
          log(db, { id: publicationId, workflow_id: id, environment, ...told }, now, actor);
          db.statement('DELETE FROM pointer WHERE workflow_id = ? AND environment = ?').run(id, environment);
          return null;
        }),
      );
      live.point(id, environment, null);
      feed.publish('publication', publicationId);
    },

    async publications(id, { page, size }) {
      if (!workflowRow(read, id)) throw notFound(id);
      const from = 'publication WHERE workflow_id = ?';
      return readPage(read, { from, order: 'id DESC', values: [id] }, { page, size }, (row: PublicationRow) =>
        numberedPublication(read, row),
      );
    },

    publication(publicationId) {
      const row = read.query<PublicationRow>('SELECT * FROM publication WHERE id = ?').get(publicationId);
      return row ? withWorkflow(row) : null;
    },

    recentPublications: (limit, within = null) =>
      (within === null
        ? read.query<PublicationRow>('SELECT * FROM publication ORDER BY id DESC LIMIT ?').all(limit)
        : read
            .query<PublicationRow>(
              'SELECT * FROM publication WHERE workflow_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?',
            )
            .all(JSON.stringify(within), limit)
      ).map((row) => ({ ...numberedPublication(read, row), workflowId: row.workflow_id })),
  };
}

const moved = (environment: Environment, expected: string | null, current: string | null): Fault =>
  new Fault(
    'ENVIRONMENT_MOVED',
    `expected version ${expected ?? 'none'} in ${environment}, found ${current ?? 'none'}: someone else published. Check the current version, then publish again`,
    { extra: { current } },
  );

const withWorkflow = (row: PublicationRow): Publication & { workflowId: string } => ({
  ...publicationView(row),
  workflowId: row.workflow_id,
});
