import { DEFAULT_PROJECT } from '../../contract/actions.ts';
import type { Project } from '../../contract/projects.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { parseStored } from '../../lib/json.ts';
import { maskPathOf, type MaskPath } from '../../lib/mask-paths.ts';
import type { ReadHandle, Store } from '../store/port.ts';
import { putRow } from '../store/rows.ts';
import { tooMany } from './too-many.ts';
import type { Access, Projects } from './port.ts';

interface Row {
  id: string;
  name: string;
  /** JSON array of paths. */
  masks: string;
  created_at: number;
  created_by: string;
}

/** Projects. What belongs to one names it: workflows, API keys, secrets, dashboards. */
export function createProjects({
  store,
  clock,
  limits,
  record,
  isUsed,
}: {
  store: Store;
  clock: Clock;
  limits: { readonly projects: number };
  record: Access['audit']['record'];
  isUsed(id: string): boolean;
}): Projects {
  const ids = new Set<string>();
  const masks = new Map<string, readonly MaskPath[]>();
  function keep({ id, masks: text }: Row): void {
    const paths = parseStored<string[]>(text).map(maskPathOf);
    if (paths.length > 0) masks.set(id, paths);
    else masks.delete(id);
  }
  for (const row of store.read.query<Row>('SELECT * FROM project').all()) {
    ids.add(row.id);
    keep(row);
  }
  const unknown = (id: string) => new Fault('PROJECT_NOT_FOUND', `project ${id.slice(0, 100)} not found`);

  return {
    masks,
    has: (id) => ids.has(id),
    list: () =>
      store.read
        .query<Row>('SELECT * FROM project ORDER BY id')
        .all()
        .map((row) => viewOf(store.read, row)),
    async create({ id, name }, actor) {
      if (ids.has(id)) throw new Fault('PROJECT_EXISTS', `project ${id} already exists; choose another ID`);
      if (ids.size >= limits.projects) throw tooMany('projects', ids.size, limits.projects);
      const row: Row = { id, name, masks: '[]', created_at: clock.now(), created_by: actor.name };
      ids.add(id);
      try {
        await store.write((db) => {
          putRow(db, 'project', { ...row });
          record(db, actor, { action: 'project.create', target: `project:${id}`, before: null, after: { name } });
        });
      } catch (error) {
        ids.delete(id);
        throw error;
      }
      return viewOf(store.read, row);
    },
    async update(id, change, actor) {
      const after = await store.write((db) => {
        const before = db.query<Row>('SELECT * FROM project WHERE id = ?').get(id);
        if (!before) return null;
        const row: Row = {
          ...before,
          name: change.name ?? before.name,
          masks: change.masks ? JSON.stringify([...new Set(change.masks)]) : before.masks,
        };
        db.statement('UPDATE project SET name = ?, masks = ? WHERE id = ?').run(row.name, row.masks, id);
        record(db, actor, {
          action: 'project.update',
          target: `project:${id}`,
          before: shown(before),
          after: shown(row),
        });
        return row;
      });
      if (!after) throw unknown(id);
      keep(after);
      return viewOf(store.read, after);
    },
    async remove(id, actor) {
      if (!ids.has(id)) throw unknown(id);
      const inUse = (what: string) => new Fault('PROJECT_IN_USE', `project ${id} ${what}`);
      if (id === DEFAULT_PROJECT) throw inUse('is where workflows go that name no project: it stays');
      if (isUsed(id)) throw inUse('is named by grants: delete them first');
      const left = await store.write((db) => {
        const holds = heldBy(db, id);
        if (holds !== null) return holds;
        // They open nothing any more.
        db.statement('UPDATE api_key SET project = ? WHERE project = ?').run(DEFAULT_PROJECT, id);
        db.statement('DELETE FROM project WHERE id = ?').run(id);
        record(db, actor, { action: 'project.delete', target: `project:${id}`, before: { id }, after: null });
        return null;
      });
      if (left !== null) throw inUse(`has ${left}: move or delete them first`);
      ids.delete(id);
      masks.delete(id);
    },
  };
}

const workflowsOf = (read: ReadHandle, project: string): number =>
  read.query<{ n: number }>('SELECT count(*) AS n FROM workflow WHERE project = ?').get(project)?.n ?? 0;

/** What keeps a project from being deleted; null: nothing. */
function heldBy(read: ReadHandle, project: string): string | null {
  const some = (Object.keys(HELD) as (keyof typeof HELD)[])
    .map((what) => ({
      what,
      n: read.query<{ n: number }>(`SELECT count(*) AS n FROM ${HELD[what]}`).get(project)?.n ?? 0,
    }))
    .filter(({ n }) => n > 0);
  return some.length === 0 ? null : some.map(({ what, n }) => `${n} ${what}`).join(', ');
}
const HELD = {
  'workflows (perhaps archived)': 'workflow WHERE project = ?',
  'API keys': 'api_key WHERE project = ? AND revoked_at IS NULL',
  secrets: 'secret WHERE project = ?',
  dashboards: 'dashboard WHERE project = ?',
  'alert rules': "alert_rule WHERE config ->> 'project' = ?",
} as const;

const shown = ({ name, masks }: Row) => ({ name, masks: parseStored<string[]>(masks) });

const viewOf = (read: ReadHandle, row: Row): Project => ({
  id: row.id,
  name: row.name,
  workflows: workflowsOf(read, row.id),
  masks: parseStored<string[]>(row.masks),
  createdAt: iso(row.created_at),
  createdBy: row.created_by,
});
