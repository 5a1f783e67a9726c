import { IconArrowDownRight, IconArrowUpRight, IconEqual, IconPencil, IconQuestionMark } from '@tabler/icons-react';
import type { ShadowReplay } from '../../../../contract/shadow-replays.ts';
import type { ShadowVerdict } from '../../../../contract/vocabulary.ts';
import { t, tn } from '../../../../lib/language.ts';

/** How each verdict looks, in the order of what asks for a look first. */
export const verdicts = () =>
  [
    { verdict: 'failing', tone: 'fail', icon: IconArrowDownRight, word: t('Now fails') },
    { verdict: 'different', tone: 'partial', icon: IconPencil, word: t('Different') },
    { verdict: 'unknown', tone: 'warn', icon: IconQuestionMark, word: t('Not run') },
    { verdict: 'mended', tone: 'done', icon: IconArrowUpRight, word: t('Fixed') },
    { verdict: 'same', tone: 'empty', icon: IconEqual, word: t('Same') },
  ] as const satisfies readonly { verdict: ShadowVerdict; tone: string; icon: unknown; word: string }[];

/** What a replay says to who wants to publish. `clear`: nothing speaks against it. */
export function conclusion({ status, total, summary }: ShadowReplay): { clear: boolean; text: string } {
  if (total === 0) return { clear: false, text: t('This environment has no finished calls to replay.') };
  const odd = summary.failing + summary.different;
  if (status === 'RUNNING')
    return {
      clear: false,
      text:
        odd === 0
          ? t('No differences so far.')
          : tn('{count} input differs so far.', '{count} inputs differ so far.', odd),
    };
  const ran =
    total -
    summary.unknown -
    (status === 'ABORTED' ? total - Object.values(summary).reduce((sum, n) => sum + n, 0) : 0);
  if (odd > 0)
    return {
      clear: false,
      text: tn(
        '{count} of {ran} inputs differs. Review it before you publish.',
        '{count} of {ran} inputs differ. Review them before you publish.',
        odd,
        { ran },
      ),
    };
  if (ran === 0) return { clear: false, text: t('None of the inputs could be replayed.') };
  const clear = summary.unknown === 0 && status === 'DONE';
  // An input that failed then and comes out well now is no "same result": it is what the fix is for.
  if (summary.mended > 0)
    return {
      clear,
      text:
        summary.same === 0
          ? tn(
              'The replayed input failed before and is fixed now.',
              'All {count} replayed inputs failed before and are fixed now.',
              ran,
            )
          : t('{fixed} of {ran} replayed inputs failed before and are fixed now; {same} give the same result.', {
              fixed: summary.mended,
              ran,
              same: summary.same,
            }),
    };
  return {
    clear,
    text: tn('The replayed input gives the same result.', 'All {count} replayed inputs give the same result.', ran),
  };
}

/** A JSON pointer for people; the root has a word. */
export const differencePath = (path: string): string => (path === '' ? t('the whole output') : path);
