import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pathTo } from '../../../lib/api-client.ts';
import { t } from '../../../lib/language.ts';
import { sessionQuery, signOut } from '../../api/access.ts';
import { useStores } from '../../stores/context.tsx';
import { toastError } from '../../ui/toasts.tsx';

/** Signs out; who came from a provider signs out there too. */
export function useLeave(): () => Promise<void> {
  const { session } = useStores();
  const client = useQueryClient();
  const { data } = useQuery(sessionQuery());
  return async () => {
    if (data?.user?.source === 'oidc') return void window.location.assign(pathTo('oidc.signOut'));
    try {
      await signOut();
      client.clear();
      session.getState().signedOut();
    } catch (error) {
      toastError(t('Could not sign out'), error);
    }
  };
}
