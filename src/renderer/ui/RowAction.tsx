import { ActionIcon, Tooltip } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import { t } from '../../lib/language.ts';

/** A small button in a row of a table; where it is not allowed it says which role it needs. */
export function RowAction({ label, allowed, role = 'admin', danger = false, icon: Icon, onClick }: { label: string; allowed: boolean; role?: 'operator' | 'admin'; danger?: boolean; icon: TablerIcon; onClick(): void }) {
  return (
    <Tooltip label={allowed ? label : t('{label}: needs the role {role}', { label, role })}>
      <ActionIcon
        size="sm"
        aria-label={label}
        disabled={!allowed}
        onClick={(event) => {
          // The row may open something else.
          event.stopPropagation();
          onClick();
        }}
        color={danger ? 'red' : 'gray'}
      >
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
