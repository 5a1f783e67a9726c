import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight, type TablerIcon } from '@tabler/icons-react';
import { formatCount } from '../Duration.tsx';
import css from './DataTable.module.css';
import type { TablePage } from './types.ts';

const SIZES = ['10', '20', '50', '100', '200', '500'];

export function Pager({ page: { page, size, totalItems, totalPages, onPage, onSize }, shown, selected }: { page: TablePage; shown: number; selected: number }) {
  const first = totalItems === 0 ? 0 : page * size + 1;
  const sizes = SIZES.includes(String(size)) ? SIZES : [...SIZES, String(size)].sort((a, b) => Number(a) - Number(b));
  return (
    <div className={css['pager']}>
      <span className="numbers" role="status">
        {totalItems === 0 ? 'None' : `${formatCount(first)}–${formatCount(page * size + shown)} of ${formatCount(totalItems)}`}
        {selected > 0 && `, ${formatCount(selected)} selected`}
      </span>
      <div className={css['pages']}>
        <Select aria-label="Rows a page" data={sizes} value={String(size)} onChange={(value) => value && onSize(Number(value))} w={72} size="xs" comboboxProps={{ withinPortal: true }} />
        <Turn icon={IconChevronsLeft} label="First page" disabled={page === 0} onClick={() => onPage(0)} />
        <Turn icon={IconChevronLeft} label="Previous page" disabled={page === 0} onClick={() => onPage(page - 1)} />
        <span className="numbers">
          {formatCount(page + 1)} / {formatCount(Math.max(1, totalPages))}
        </span>
        <Turn icon={IconChevronRight} label="Next page" disabled={page + 1 >= totalPages} onClick={() => onPage(page + 1)} />
        <Turn icon={IconChevronsRight} label="Last page" disabled={page + 1 >= totalPages} onClick={() => onPage(totalPages - 1)} />
      </div>
    </div>
  );
}

function Turn({ icon: Icon, label, disabled, onClick }: { icon: TablerIcon; label: string; disabled: boolean; onClick(): void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={disabled} onClick={onClick} variant="default" size="sm">
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
