import type { Access } from '../../access/port.ts';
import type { SenderTokens } from './port.ts';

/** Who may write log lines over TCP: workers, operators and admins. */
export const senderTokens = (access: Pick<Access, 'token' | 'isActiveToken' | 'onCredentialEnded'>): SenderTokens => ({
  identify(secret) {
    const identity = access.token(secret);
    return identity === null || identity.role === 'viewer' ? null : { tokenId: identity.tokenId, role: identity.role };
  },
  isActive: access.isActiveToken,
  onEnded: access.onCredentialEnded,
});
