import { ActionIcon, Popover, Select, Stack, Tooltip } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { useConsoleLink, useMasterUrl } from '../../stores/desktop.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { cliText, pageCommands, curlText } from './commands.ts';
import css from '../frame/Frame.module.css';
import { bindChoice } from '../../ui/bind.ts';

/** What the page shows and does, as commands for a terminal, and a link to it. */
export function CommandMenu({ opened, onChange }: { opened: boolean; onChange(opened: boolean): void }) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus width={600} opened={opened} onChange={onChange}>
      <Popover.Target>
        <Tooltip label={t('Show this page as a command (c)')}>
          <ActionIcon aria-label={t('This page as a command')} aria-expanded={opened} onClick={() => onChange(!opened)}>
            <IconTerminal2 size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 16px)" aria-label={t('This page as a command')}>
        <Body />
      </Popover.Dropdown>
    </Popover>
  );
}

function Body() {
  const { pathname, search, href } = useLocation();
  const origin = useMasterUrl() || '$YARDMASTER_URL';
  const commands = pageCommands(pathname, { ...search });
  const [at, setAt] = useState('0');
  const command = commands[Number(at)];
  const cli = command && cliText(command);
  const link = useConsoleLink()(href);
  return (
    <Stack gap={8}>
      {command && (
        <>
          <Select
            label={t('Commands for this page')}
            data={commands.map(({ label }, i) => ({ value: String(i), label }))}
            {...bindChoice(at, setAt)}
            comboboxProps={{ withinPortal: false }}
            maxDropdownHeight={320}
            data-autofocus
          />
          {cli !== null && cli !== undefined && <CommandLine label={t('Command line')} command={cli} />}
          <CommandLine label="curl" command={curlText(command, origin)} />
        </>
      )}
      <CommandLine label={t('Link to this page')} command={link} copy={t('Copy link')} />
      {command && (
        <p className={css['note']}>
          {t('Commands read YARDMASTER_URL and YARDMASTER_TOKEN from the environment. Replace … with your own values.')}
        </p>
      )}
    </Stack>
  );
}
