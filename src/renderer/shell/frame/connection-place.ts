import type { Connection } from '../../../contract/ipc.ts';
import { t } from '../../../lib/language.ts';

/** Of all masters of a connection, as they are typed. */
export const urlsOf = ({ url, otherUrls }: Pick<Connection, 'url' | 'otherUrls'>): string =>
  [url ?? '', ...otherUrls].join(', ');

/** Where a connection leads: its addresses, its release, or its SSH server. */
export function connectionPlace({ url, otherUrls, via }: Pick<Connection, 'url' | 'otherUrls' | 'via'>): string {
  if (via?.kind === 'kubernetes')
    return t('{release} in {namespace}, context {context}', {
      release: via.release,
      namespace: via.namespace,
      context: via.context,
    });
  if (via?.kind === 'ssh')
    return t('{url} through SSH {destination}', { url: url ?? '', destination: via.destination });
  return url === null ? t('not running') : urlsOf({ url, otherUrls });
}
