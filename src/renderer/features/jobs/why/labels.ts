import type { WaitReason } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';

/** Reasons that somebody has to do something about, with the page where it is done. The master's sentence says what. */
export const ATTENTION: Readonly<
  Partial<Record<WaitReason, { readonly to: '/workers'; readonly words: string } | null>>
> = {
  NO_WORKERS: { to: '/workers', words: t('View workers') },
  ALL_DRAINED: { to: '/workers', words: t('View workers') },
  ALL_UNHEALTHY: { to: '/workers', words: t('View workers') },
  ENVIRONMENT_NOT_SERVED: { to: '/workers', words: t('View workers') },
  HANDLER_NOT_REGISTERED: { to: '/workers', words: t('View workers and handlers') },
  ALL_MAXED: null,
  CONCURRENCY_LIMIT: null,
};

/** `position` counts from 1. */
export const queuePositionText = ({ position, total }: { position: number; total: number }): string =>
  position <= 1 ? t('Next of {total}', { total }) : t('{position} of {total}', { position, total });

/** `4 min 10 s` until a moment; null where it has passed. */
export function countdown(at: string, now: number): string | null {
  const seconds = Math.ceil((Date.parse(at) - now) / 1000);
  if (seconds <= 0) return null;
  if (seconds < 60) return t('{seconds} s', { seconds });
  if (seconds < 3600)
    return t('{minutes} min {seconds} s', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
  return t('{hours} h {minutes} min', {
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor((seconds % 3600) / 60),
  });
}

/** The master's sentence without its deadline, for where that is counted down beside it. */
export const withoutDeadline = (message: string): string =>
  message.replace(/ \(SCHEDULE_TIMEOUT in \d+ s\)| The next attempt starts at \S+Z\./, '');
