import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
  type TablerIcon,
} from '@tabler/icons-react';
import { memo } from 'react';
import { t } from '../../../lib/language.ts';
import { formatCount } from '../Duration.tsx';
import { FocusKeepingButton } from '../FocusKeepingButton.tsx';
import { LazySelect } from '../LazySelect.tsx';
import css from './DataTable.module.css';
import type { TablePage } from './types.ts';
import { bindChoice } from '../bind.ts';

const SIZES = ['10', '20', '50', '100', '200', '500'];

/** `known`: whether anything was read yet; until then nothing is said of how many there are. It stays as it is while its table is scrolled. */
export const Pager = memo(function Pager({
  page: { page, size, totalItems, totalPages, onPage, onSize },
  shown,
  selected,
  known,
}: {
  page: TablePage;
  shown: number;
  selected: number;
  known: boolean;
}) {
  const first = totalItems === 0 ? 0 : page * size + 1;
  const sizes = SIZES.includes(String(size)) ? SIZES : [...SIZES, String(size)].sort((a, b) => Number(a) - Number(b));
  return (
    <div className={css['pager']}>
      <span className="numbers" role="status">
        {!known
          ? ''
          : totalItems === 0
            ? t('None')
            : t('{first}–{count} of {totalItems}', {
                first: formatCount(first),
                count: formatCount(page * size + shown),
                totalItems: formatCount(totalItems),
              })}
        {selected > 0 && t(', {selected} selected', { selected: formatCount(selected) })}
      </span>
      <div className={css['pages']}>
        <LazySelect
          aria-label={t('Rows per page')}
          data={sizes}
          {...bindChoice(String(size), (value) => onSize(Number(value)))}
          w={72}
          comboboxProps={{ withinPortal: true }}
        />
        <Turn icon={IconChevronsLeft} label={t('First page')} disabled={page === 0} onClick={() => onPage(0)} />
        <Turn
          icon={IconChevronLeft}
          label={t('Previous page')}
          disabled={page === 0}
          onClick={() => onPage(page - 1)}
        />
        <span className="numbers">
          {formatCount(page + 1)} / {formatCount(Math.max(1, totalPages))}
        </span>
        <Turn
          icon={IconChevronRight}
          label={t('Next page')}
          disabled={page + 1 >= totalPages}
          onClick={() => onPage(page + 1)}
        />
        <Turn
          icon={IconChevronsRight}
          label={t('Last page')}
          disabled={page + 1 >= totalPages}
          onClick={() => onPage(totalPages - 1)}
        />
      </div>
    </div>
  );
});

function Turn({
  icon: Icon,
  label,
  disabled,
  onClick,
}: {
  icon: TablerIcon;
  label: string;
  disabled: boolean;
  onClick(): void;
}) {
  return (
    <FocusKeepingButton
      className={css['turn']}
      aria-label={label}
      data-hint={label}
      data-disabled={disabled || undefined}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon size={15} aria-hidden />
    </FocusKeepingButton>
  );
}
