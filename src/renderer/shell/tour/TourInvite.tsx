import { CloseButton } from '@mantine/core';
import { t } from '../../../lib/language.ts';
import { usePreferences } from '../../stores/context.tsx';
import css from './Tour.module.css';

/** For whoever is here for the first time; in the menu, where it covers nothing. Gone for good once taken or put aside. */
export function TourInvite({ onStart }: { onStart(): void }) {
  const toured = usePreferences((p) => p.toured);
  const set = usePreferences((p) => p.set);
  if (toured) return null;
  return (
    <div className={css['invite']}>
      <button type="button" onClick={onStart}>
        {t('Take the tour')}
      </button>
      <CloseButton size="sm" aria-label={t('No, thanks')} onClick={() => set({ toured: true })} />
    </div>
  );
}
