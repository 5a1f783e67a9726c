import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { ENVIRONMENTS } from '../../../../contract/vocabulary.ts';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';

/** Pixels of an environment's card. */
const CARD = 248;
/** Cards side by side, by the width of the window. */
export const COLUMNS = { base: 1, md: 3 };

/** Stands in for the cards of the environments, also while the code of their tab is on its way. */
export const PublishSkeleton = (): ReactNode => (
  <SimpleGrid cols={COLUMNS}>
    {ENVIRONMENTS.map((environment) => (
      <SkeletonBlock key={environment} height={CARD} />
    ))}
  </SimpleGrid>
);
