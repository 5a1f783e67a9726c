import type { WaitReason } from '../../../contract/vocabulary.ts';

/** What helps, for each reason that something can be done about. The master's sentence says what is the case. */
export const REMEDIES: Readonly<Partial<Record<WaitReason, string>>> = {
  NO_WORKERS: 'Start a worker, or look at why none is connected.',
  ALL_MAXED: 'It starts as soon as a slot is free. More workers, or more capacity, would take it sooner.',
  ALL_DRAINED: 'Resume a worker to let it take tasks again.',
  ALL_UNHEALTHY: 'The workers do not answer in time. Look at their machines and their connection.',
  HANDLER_NOT_REGISTERED: 'Start a worker that registers this handler, or mend the name in the workflow.',
  CONCURRENCY_LIMIT: 'It starts when one of those that run ends. The limit can be raised.',
};

/** `position` counts from 1. */
export const placeWords = ({ position, total }: { position: number; total: number }): string => (position <= 1 ? `Next of ${total}` : `${position} of ${total}`);

/** `4 min 10 s` until a moment; null where it has passed. */
export function countdown(at: string, now: number): string | null {
  const seconds = Math.ceil((Date.parse(at) - now) / 1000);
  if (seconds <= 0) return null;
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
