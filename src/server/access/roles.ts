import { ACTIONS, BUILT_IN_ROLES, isBuiltInRole, ROLE_ACTIONS, type Action } from '../../contract/actions.ts';
import type { AccessRole } from '../../contract/projects.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { parseStored } from '../../lib/json.ts';
import type { Store } from '../store/port.ts';
import { putRow } from '../store/rows.ts';
import { tooMany } from './too-many.ts';
import type { Access, Roles } from './port.ts';

type Role = Omit<AccessRole, 'grants' | 'warnings'>;

interface Row {
  id: string;
  description: string | null;
  /** JSON array. */
  actions: string;
  created_at: number;
  created_by: string;
}

/** Built-in roles, and custom ones as named sets of actions. All are in memory. */
export function createRoles({
  store,
  clock,
  limits,
  record,
  isUsed,
  onChanged,
}: {
  store: Store;
  clock: Clock;
  limits: { readonly customRoles: number };
  record: Access['audit']['record'];
  isUsed(id: string): boolean;
  onChanged(): void;
}): Roles {
  const custom = new Map<string, Role>();
  const sets = new Map<string, ReadonlySet<Action>>(BUILT_IN_ROLES.map((id) => [id, new Set(ROLE_ACTIONS[id])]));
  for (const row of store.read.query<Row>('SELECT * FROM role ORDER BY id').iterate())
    keep({
      id: row.id,
      builtIn: false,
      description: row.description,
      actions: known(parseStored<Action[]>(row.actions)),
    });

  function keep(role: Role): void {
    custom.set(role.id, role);
    sets.set(role.id, new Set(role.actions));
  }
  function refuseBuiltIn(id: string): void {
    if (isBuiltInRole(id))
      throw new Fault('ROLE_BUILT_IN', `the role ${id} is built in and cannot be changed: choose another name`);
  }

  return {
    actionsOf: (role) => sets.get(role) ?? null,
    list: () => [
      ...BUILT_IN_ROLES.map((id) => ({ id, builtIn: true, description: null, actions: [...ROLE_ACTIONS[id]] })),
      ...[...custom.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    ],
    async set(id, { actions, description = null }, actor) {
      refuseBuiltIn(id);
      const before = custom.get(id) ?? null;
      if (!before && custom.size >= limits.customRoles) throw tooMany('customRoles', custom.size, limits.customRoles);
      const role: Role = { id, builtIn: false, description, actions: known(actions) };
      await store.write((db) => {
        db.statement('DELETE FROM role WHERE id = ?').run(id);
        putRow(db, 'role', {
          id,
          description,
          actions: JSON.stringify(role.actions),
          created_at: clock.now(),
          created_by: actor.name,
        });
        record(db, actor, {
          action: before ? 'role.update' : 'role.create',
          target: `role:${id}`,
          before,
          after: role,
        });
      });
      keep(role);
      onChanged();
      return role;
    },
    async remove(id, actor) {
      refuseBuiltIn(id);
      const before = custom.get(id);
      if (!before) throw new Fault('ROLE_NOT_FOUND', `role ${id.slice(0, 100)} not found`);
      if (isUsed(id)) throw new Fault('ROLE_IN_USE', `somebody has the role ${id}: take it back first`);
      await store.write((db) => {
        db.statement('DELETE FROM role WHERE id = ?').run(id);
        record(db, actor, { action: 'role.delete', target: `role:${id}`, before, after: null });
      });
      custom.delete(id);
      sets.delete(id);
      onChanged();
    },
  };
}

/** In the usual order, each once; an action that this version does not know allows nothing. */
const known = (actions: readonly Action[]): Action[] => ACTIONS.filter((action) => actions.includes(action));
