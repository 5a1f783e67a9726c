import { currentLocale, t } from '../../../../lib/language.ts';

/** Due times that the calendar asks for, at most: those that were (the newest first), and those that come. */
export const MOST_PAST = 500;
export const MOST_COMING = 1000;

/** What the calendar says where a month has more than it shows. `past`: all that were; `coming`: those that it was given. */
export function cutNotes(past: number, coming: number): string[] {
  const text = (count: number) => count.toLocaleString(currentLocale());
  return [
    ...(past > MOST_PAST
      ? [
          t('Only the latest {shown} of {count} past due times are shown.', {
            shown: text(MOST_PAST),
            count: text(past),
          }),
        ]
      : []),
    ...(coming >= MOST_COMING ? [t('Only the next {shown} due times are shown.', { shown: text(MOST_COMING) })] : []),
  ];
}
