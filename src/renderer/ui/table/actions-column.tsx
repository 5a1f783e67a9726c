import { Group } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { RowAction } from '../RowAction.tsx';
import type { DataColumn } from './types.ts';

interface Act {
  readonly label: string;
  readonly icon: TablerIcon;
  readonly danger?: boolean;
  /** Why it cannot be done now, where that is not what holds for all of them. */
  readonly why?: string | undefined;
  run(): void;
}

/** The last column: what can be done to a row. `why`: words for why nothing can be. `first` stands before it. */
export const actionsColumn = <T,>(
  width: number,
  why: string | undefined,
  acts: (row: T) => readonly (Act | false)[],
  first?: (row: T) => ReactNode,
): DataColumn<T> => ({
  id: 'actions',
  header: t('Actions'),
  width,
  pin: 'end',
  cell: (row) => (
    <Group gap={4} wrap="nowrap">
      {first?.(row)}
      {acts(row).map(
        (act) =>
          act && (
            <RowAction
              key={act.label}
              label={act.label}
              why={act.why ?? why}
              danger={act.danger ?? false}
              icon={act.icon}
              onClick={act.run}
            />
          ),
      )}
    </Group>
  ),
});
