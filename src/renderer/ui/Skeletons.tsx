import { Skeleton, Stack } from '@mantine/core';
import { t } from '../../lib/language.ts';
import css from './Skeletons.module.css';

const WIDTHS = ['92%', '74%', '84%', '61%', '79%', '68%'];

export function SkeletonLines({ lines = 4 }: { lines?: number }) {
  return (
    <Stack gap={12} p={14} aria-busy="true" aria-label={t('Loading')} role="status">
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} height={14} width={WIDTHS[i % WIDTHS.length] ?? '80%'} radius="sm" />
      ))}
    </Stack>
  );
}

/** As high as the tiles that they stand in for, so that nothing below them moves when those come. */
export function SkeletonTiles({ count }: { count: number }) {
  return (
    <div className={css['tiles']} aria-busy="true" aria-label={t('Loading')} role="status">
      {Array.from({ length: count }, (_, i) => (
        <Skeleton key={i} height={84} radius="md" />
      ))}
    </div>
  );
}

/** Pixels high. */
export function SkeletonBlock({ height }: { height: number }) {
  return <Skeleton height={height} flex="none" radius="md" aria-busy="true" aria-label={t('Loading')} role="status" />;
}
