import { ENVIRONMENTS, type Environment } from '../../contract/vocabulary.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { parseStored } from '../../lib/json.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Store, WriteHandle } from '../store/port.ts';
import { putRow } from '../store/rows.ts';
import { tooMany } from './too-many.ts';
import type { Access, Grant, Grants, StoredGrant } from './port.ts';

interface Row {
  id: string;
  subject_kind: 'user' | 'group';
  subject: string;
  role: string;
  project: string | null;
  /** JSON array; null: all. */
  environments: string | null;
  created_at: number;
  created_by: string;
}

/** Who has which role where. All grants are in memory; `onChanged` is told after each change, for connections that are open. */
export function createGrants({
  store,
  clock,
  limits,
  record,
  roles,
  projects,
  onChanged,
}: {
  store: Store;
  clock: Clock;
  limits: { readonly grantsPerPerson: number };
  record: Access['audit']['record'];
  roles: { has(id: string): boolean };
  projects: { has(id: string): boolean };
  onChanged(): void;
}): Grants & { forget(): void; endAllOfUser(db: WriteHandle, userId: string): () => void } {
  const bySubject = new Map<string, StoredGrant[]>();
  /** The same list for the same person until a grant changes: what is worked out of one is kept with it. */
  const known = new Map<string, readonly Grant[]>();
  for (const row of store.read.query<Row>('SELECT * FROM role_grant ORDER BY id').iterate()) add(grantOf(row));

  function add(grant: StoredGrant): void {
    const key = keyOf(grant.subjectKind, grant.subject);
    const list = bySubject.get(key);
    if (list) list.push(grant);
    else bySubject.set(key, [grant]);
  }
  function changed(): void {
    known.clear();
    onChanged();
  }
  const all = (): StoredGrant[] => [...bySubject.values()].flat();

  return {
    of({ userId, groups }) {
      const subjects = [keyOf('user', userId), ...groups.map((group) => keyOf('group', group))];
      const key = JSON.stringify(subjects);
      let list = known.get(key);
      if (!list) known.set(key, (list = subjects.flatMap((subject) => bySubject.get(subject) ?? [])));
      return list;
    },
    /** Inside the transaction; what is returned is called once it is committed. */
    endAllOfUser(db, userId) {
      db.statement("DELETE FROM role_grant WHERE subject_kind = 'user' AND subject = ?").run(userId);
      return () => {
        bySubject.delete(keyOf('user', userId));
        changed();
      };
    },
    /** Roles mean something else now. */
    forget: changed,
    list: () => all().sort((a, b) => (a.id < b.id ? 1 : -1)),
    async create({ subjectKind, subject, role, project = null, environments = null }, actor) {
      if (!roles.has(role)) throw new Fault('ROLE_NOT_FOUND', `role ${role.slice(0, 100)} not found`);
      if (project !== null && !projects.has(project))
        throw new Fault('PROJECT_NOT_FOUND', `project ${project.slice(0, 100)} not found`);
      const held = bySubject.get(keyOf(subjectKind, subject))?.length ?? 0;
      if (held >= limits.grantsPerPerson) throw tooMany('grantsPerPerson', held, limits.grantsPerPerson);
      const now = clock.now();
      const row: Row = {
        id: uuidv7(now),
        subject_kind: subjectKind,
        subject,
        role,
        project,
        // In the usual order, each once.
        environments: environments && JSON.stringify(ENVIRONMENTS.filter((one) => environments.includes(one))),
        created_at: now,
        created_by: actor.name,
      };
      const grant = grantOf(row);
      await store.write((db) => {
        putRow(db, 'role_grant', { ...row });
        record(db, actor, { action: 'grant.create', target: `grant:${row.id}`, before: null, after: grant });
      });
      add(grant);
      changed();
      return grant;
    },
    async remove(id, actor) {
      const grant = all().find((one) => one.id === id);
      if (!grant) throw new Fault('GRANT_NOT_FOUND', `grant ${id} not found`);
      await store.write((db) => {
        db.statement('DELETE FROM role_grant WHERE id = ?').run(id);
        record(db, actor, { action: 'grant.delete', target: `grant:${id}`, before: grant, after: null });
      });
      const key = keyOf(grant.subjectKind, grant.subject);
      bySubject.set(
        key,
        (bySubject.get(key) ?? []).filter((one) => one.id !== id),
      );
      changed();
    },
  };
}

const keyOf = (kind: 'user' | 'group', subject: string): string => `${kind}:${subject}`;

const grantOf = (row: Row): StoredGrant => ({
  id: row.id,
  subjectKind: row.subject_kind,
  subject: row.subject,
  role: row.role,
  project: row.project,
  environments: row.environments === null ? null : parseStored<Environment[]>(row.environments),
  createdAt: iso(row.created_at),
  createdBy: row.created_by,
});
