import { parseStored } from '../../lib/json.ts';
import type { Principal } from '../state-machines/approval.ts';
import type { ReadHandle } from '../store/port.ts';
import type { Access } from './port.ts';

const MAKERS = 1000;
const CHANGES = `SELECT at, actor, action, before, after FROM audit
  WHERE target = ? AND at >= ? AND action IN ('user.create', 'user.enable', 'user.reset-password', 'user.update')`;
const GRANTS = `SELECT created_at AS at, created_by AS actor FROM role_grant
  WHERE created_at >= ? AND (subject_kind = 'user' AND subject = ? OR subject_kind = 'group' AND subject IN (SELECT value FROM json_each(?)))`;

interface Change {
  readonly at: number;
  readonly actor: string;
}

/** Whoever has the machine (no user, no token) is what they are. */
export const doubtAbout: Access['doubtAbout'] = (db, approver, { requester, requestedAt, settleMs }) => {
  const changes = changesOf(db, approver, requestedAt - settleMs);
  if (changes.some(({ at }) => at > requestedAt)) return 'newer';
  // Whoever has the machine makes the first accounts, and could do anything else.
  if (requester.id === 'local') return null;
  return changes.some(({ actor }) => isOf(db, actor, requester.name)) ? 'made' : null;
};

/** What others did since then that lets somebody in, or lets them do more. */
function changesOf(db: ReadHandle, { id, name }: Principal, since: number): Change[] {
  const [kind, key] = id.split(':');
  if (kind === 'token')
    return db
      .query<Change>('SELECT created_at AS at, created_by AS actor FROM token WHERE id = ? AND created_at >= ?')
      .all(key ?? '', since);
  if (kind !== 'user') return [];
  const user = db
    .query<Change & { groups: string }>('SELECT created_at AS at, created_by AS actor, groups FROM user WHERE id = ?')
    .get(key ?? '');
  if (!user) return [];
  const audited = db
    .query<Change & { action: string; before: string; after: string }>(CHANGES)
    .all(`user:${key}`, since)
    .filter(({ action, before, after }) => action !== 'user.update' || isMore(before, after));
  const granted = db.query<Change>(GRANTS).all(since, key ?? '', user.groups);
  // What the provider says of somebody is nobody's doing here.
  return [user, ...audited, ...granted].filter(
    ({ at, actor }) => at >= since && actor !== name && actor !== 'provider',
  );
}

/** A change of who somebody is at the provider, or of what their groups give them. */
function isMore(before: string, after: string): boolean {
  const facts = (text: string) => {
    const { email, groups } = parseStored<{ email?: unknown; groups?: unknown }>(text);
    return JSON.stringify([email, groups]);
  };
  return facts(before) !== facts(after);
}

/** True where that is their name, or of an account or token that they made, and so on. */
function isOf(db: ReadHandle, actor: string, maker: string): boolean {
  const seen = new Set([actor]);
  const gone = db
    .query<{ before: string }>("SELECT before FROM audit WHERE action = 'user.delete'")
    .all()
    .map(({ before }) => parseStored<{ login?: string; createdBy?: string }>(before));
  for (const name of seen) {
    if (name === maker) return true;
    if (seen.size > MAKERS) return false;
    for (const { by } of db
      .query<{ by: string }>(
        'SELECT created_by AS by FROM user WHERE login = ? UNION SELECT created_by FROM token WHERE user_id IS NULL AND own = 0 AND name = ?',
      )
      .all(name, name))
      seen.add(by);
    // An account that was deleted meanwhile still was somebody's.
    for (const { login, createdBy } of gone) if (login === name && createdBy !== undefined) seen.add(createdBy);
  }
  return false;
}
