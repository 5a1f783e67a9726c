import { useQuery } from '@tanstack/react-query';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { isRecord } from '../../../../lib/is-record.ts';
import { settingsQuery } from '../../../api/overview.ts';
import { useReach } from '../../../stores/role.ts';

/** True where what is published there changes only once a second person has approved. */
export function useProtected(environment: Environment): boolean {
  const value = useQuery({ ...settingsQuery(), enabled: useReach('settings.get') }).data?.settings.find(
    ({ name }) => name === 'protectedEnvironments',
  )?.value;
  return isRecord(value) && value[environment] !== undefined;
}
