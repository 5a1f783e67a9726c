import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { settingsQuery } from '../../api/overview.ts';
import { useReach, useWhyNotAdministrator } from '../../stores/role.ts';
import { SkeletonBlock } from '../../ui/Skeletons.tsx';
import { proposeRetention } from './retention/propose.ts';

const ProposalCard = lazy(() =>
  import('./retention/ProposalCard.tsx').then((file) => ({ default: file.ProposalCard })),
);

/** Pixels of the card, about: what stands below it moves little when its code has come. */
const HEIGHT = 264;

/** As long as nobody has decided how long anything is kept: a proposal, for those who may decide it. */
export function RetentionProposal(): ReactNode {
  const { data } = useQuery({ ...settingsQuery(), enabled: useReach('settings.get') });
  const isAdministrator = useWhyNotAdministrator() === undefined;
  const proposal = useMemo(() => (data ? proposeRetention(data) : null), [data]);
  if (proposal === null || !isAdministrator) return null;
  return (
    <Suspense fallback={<SkeletonBlock height={HEIGHT} />}>
      <ProposalCard proposal={proposal} freeBytes={data?.disk?.freeBytes ?? 0} />
    </Suspense>
  );
}
