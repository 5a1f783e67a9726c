import { Button, Popover, Stack } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import type { LogFilters } from '../../../api/logs.ts';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { logCommands } from './log-commands.ts';

/** The same search from a terminal. */
export function CommandMenu({ filters, live }: { filters: LogFilters; live: boolean }): ReactNode {
  const { cli, curl } = logCommands(
    filters,
    live,
    window.location.protocol.startsWith('http') ? window.location.origin : '$YARDMASTER_URL',
  );
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus width={560}>
      <Popover.Target>
        <Button variant="default" px={8} aria-label={t('As command')} data-hint={t('As command')}>
          <IconTerminal2 size={15} aria-hidden />
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={8}>
          <CommandLine label={t('Command line')} command={cli} />
          <CommandLine label={t('REST')} command={curl} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
