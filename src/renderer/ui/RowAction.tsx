import { ActionIcon } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import { t } from '../../lib/language.ts';

/** A small button in a row of a table. `why`: words for why it cannot be pressed now (`useWhy` has them); it stays in the tab order with them. */
export function RowAction({
  label,
  why,
  danger = false,
  icon: Icon,
  onClick,
}: {
  label: string;
  why?: string | undefined;
  danger?: boolean;
  icon: TablerIcon;
  onClick(): void;
}) {
  const off = why !== undefined;
  return (
    <ActionIcon
      size="sm"
      aria-label={label}
      data-hint={off ? t('{label}: {why}', { label, why }) : label}
      {...(off ? { 'data-disabled': true, 'aria-disabled': true } : {})}
      onClick={(event) => {
        // The row may open something else.
        event.stopPropagation();
        if (!off) onClick();
      }}
      color={danger ? 'red' : 'gray'}
    >
      <Icon size={15} aria-hidden />
    </ActionIcon>
  );
}
