import type { UserKind } from '../../contract/users.ts';
import type { Principal } from '../state-machines/approval.ts';
import type { ReadHandle } from '../store/port.ts';
import type { Identity, SessionIdentity } from './port.ts';

/** Sessions from one-time codes and the master's own token: whoever sits at the machine. */
export const LOCAL = 'local';

/** Who comes with these credentials, as one person is told from another: a person by who they are, else by the token. */
export function principalOf(
  read: ReadHandle,
  identity: Identity & Partial<Pick<SessionIdentity, 'tokenId'>>,
): Principal {
  const { actor: name, userId, tokenId = null } = identity;
  if (userId !== null) {
    const kind = read.query<{ kind: UserKind }>('SELECT kind FROM user WHERE id = ?').get(userId)?.kind;
    return { id: `user:${userId}`, name, madeBy: null, ...(kind === 'service' && { isProgram: true }) };
  }
  const token =
    tokenId === null
      ? undefined
      : read.query<{ own: number; created_by: string }>('SELECT own, created_by FROM token WHERE id = ?').get(tokenId);
  if (!token || token.own === 1) return { id: LOCAL, name, madeBy: null };
  return { id: `token:${tokenId}`, name, madeBy: token.created_by };
}
