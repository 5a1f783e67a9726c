import { TextInput } from '@mantine/core';
import { type FormEvent, memo, type ReactNode, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { formatCount } from '../Duration.tsx';
import css from './DataTable.module.css';

/** Below rows without pages: which are in sight, how many are selected, and the way to a row by its number. `onGo` stays the same. */
export function InfiniteScrollFooter({
  seen,
  fits,
  total,
  selected,
  known,
  onGo,
}: {
  seen: number;
  fits: number;
  total: number;
  selected: number;
  /** Whether how many there are is known. */
  known: boolean;
  onGo(index: number): void;
}): ReactNode {
  return (
    <div className={css['pager']}>
      <span className="numbers">
        {total === 0
          ? known && t('None')
          : t('{first}–{count} of {totalItems}', {
              first: formatCount(Math.min(seen + 1, total)),
              count: formatCount(Math.min(seen + fits, total)),
              totalItems: formatCount(total),
            })}
        {selected > 0 && t(', {selected} selected', { selected: formatCount(selected) })}
      </span>
      <GoTo total={total} onGo={onGo} />
    </div>
  );
}

const GoTo = memo(function GoTo({ total, onGo }: { total: number; onGo(index: number): void }): ReactNode {
  const [wanted, setWanted] = useState('');
  const go = (event: FormEvent) => {
    event.preventDefault();
    if (wanted === '' || total === 0) return;
    onGo(Math.max(1, Math.min(total, Number(wanted))) - 1);
    setWanted('');
  };
  return (
    <form onSubmit={go} className={css['pages']}>
      <TextInput
        aria-label={t('Go to row')}
        placeholder={t('Go to row…')}
        value={wanted === '' ? '' : formatCount(Number(wanted))}
        onChange={(event) => setWanted(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 9))}
        inputMode="numeric"
        autoComplete="off"
        w={112}
        disabled={total === 0}
      />
    </form>
  );
});
