import { Fault, invalidAt } from '../../lib/fault.ts';
import type { WorkflowDeps } from './deps.ts';
import type { Workflows } from './port.ts';
import { commitView, findVersion, notFound, openRow, requireWorkflow, workflowRow } from './rows.ts';

/** Tags of one version. */
const MAX_TAGS = 20;

/** Names that people give to versions. */
export function createVersionTags({ store, audit }: WorkflowDeps): Pick<Workflows, 'setTag' | 'removeTag'> {
  const { read } = store;
  return {
    async setTag(id, tag, hashOrPrefix, actor) {
      if (!workflowRow(read, id)) throw notFound(id);
      const version = findVersion(read, id, hashOrPrefix);
      requireWorkflow(
        await store.write((db) => {
          const workflow = openRow(db, id);
          if (workflow instanceof Fault) return workflow;
          const before = hashOfTag(db, id, tag);
          if (before === version.hash) return null;
          const count = db
            .query<{ n: number }>('SELECT count(*) AS n FROM version_tag WHERE hash = ?')
            .get(version.hash);
          if ((count?.n ?? 0) >= MAX_TAGS)
            return invalidAt(
              '/hash',
              `version ${version.hash} has ${MAX_TAGS} tags already; remove one first`,
              `has the maximum of ${MAX_TAGS} tags`,
            );
          db.statement(
            'INSERT INTO version_tag (workflow_id, tag, hash) VALUES (?, ?, ?) ON CONFLICT (workflow_id, tag) DO UPDATE SET hash = excluded.hash',
          ).run(id, tag, version.hash);
          audit.record(db, actor, {
            action: 'workflow.tag',
            target: `workflow:${id}`,
            before: { tag, hash: before },
            after: { tag, hash: version.hash },
          });
          return null;
        }),
      );
      return commitView(read, version);
    },
    async removeTag(id, tag, actor) {
      requireWorkflow(
        await store.write((db) => {
          const workflow = openRow(db, id);
          if (workflow instanceof Fault) return workflow;
          const before = hashOfTag(db, id, tag);
          // Removed already: what was asked for is so.
          if (before === null) return null;
          db.statement('DELETE FROM version_tag WHERE workflow_id = ? AND tag = ?').run(id, tag);
          audit.record(db, actor, {
            action: 'workflow.untag',
            target: `workflow:${id}`,
            before: { tag, hash: before },
            after: { tag, hash: null },
          });
          return null;
        }),
      );
    },
  };
}

const hashOfTag = (db: Pick<WorkflowDeps['store']['read'], 'query'>, id: string, tag: string): string | null =>
  db.query<{ hash: string }>('SELECT hash FROM version_tag WHERE workflow_id = ? AND tag = ?').get(id, tag)?.hash ??
  null;
