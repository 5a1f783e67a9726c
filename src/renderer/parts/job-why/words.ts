import type { WaitReason } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';

/** Reasons that somebody has to do something about, with the page where it is done. The master's sentence says what. */
export const ATTENTION: Readonly<Partial<Record<WaitReason, { readonly to: '/workers'; readonly words: string } | null>>> = {
  NO_WORKERS: { to: '/workers', words: t('Look at the workers') },
  ALL_DRAINED: { to: '/workers', words: t('Look at the workers') },
  ALL_UNHEALTHY: { to: '/workers', words: t('Look at the workers') },
  HANDLER_NOT_REGISTERED: { to: '/workers', words: t('Look at the workers and their handlers') },
  ALL_MAXED: null,
  CONCURRENCY_LIMIT: null,
};

/** `position` counts from 1. */
export const placeWords = ({ position, total }: { position: number; total: number }): string => (position <= 1 ? t('Next of {total}', { total }) : `${position} of ${total}`);

/** `4 min 10 s` until a moment; null where it has passed. */
export function countdown(at: string, now: number): string | null {
  const seconds = Math.ceil((Date.parse(at) - now) / 1000);
  if (seconds <= 0) return null;
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
