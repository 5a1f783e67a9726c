import { Drawer } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { t } from '../../../lib/language.ts';
import { SkeletonLines } from '../../ui/Skeletons.tsx';
import css from './Help.module.css';

const HelpBody = lazy(() => import('./HelpBody.tsx').then((module) => ({ default: module.HelpBody })));

/** The docs beside the page. `topic` null: closed; empty: the list of topics. */
export function HelpDrawer({ topic, onClose }: { topic: string | null; onClose(): void }) {
  return (
    <Drawer
      opened={topic !== null}
      onClose={onClose}
      position="right"
      size="min(720px, 94vw)"
      title={<strong>{t('Help')}</strong>}
      classNames={{ content: css['drawer'] ?? '', body: css['inside'] ?? '' }}
    >
      {topic !== null && (
        <Suspense fallback={<SkeletonLines lines={12} />}>
          <HelpBody key={topic} start={topic} />
        </Suspense>
      )}
    </Drawer>
  );
}
