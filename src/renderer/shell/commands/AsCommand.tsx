import { Button, Stack } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { useMasterUrl } from '../../stores/desktop.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { cliText, type Command, curlText } from './commands.ts';

/** In a dialog that is about to do something: the very same from a terminal. Folded until it is asked for. */
export function AsCommand({ command }: { command: Command }): ReactNode {
  const [open, setOpen] = useState(false);
  const origin = useMasterUrl() || '$YARDMASTER_URL';
  const cli = cliText(command);
  return (
    <Stack gap={6} align="stretch">
      <div>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconTerminal2 size={14} aria-hidden />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t('As command')}
        </Button>
      </div>
      {open && (
        <>
          {cli !== null && <CommandLine label={t('Command line')} command={cli} />}
          <CommandLine label="curl" command={curlText(command, origin)} />
        </>
      )}
    </Stack>
  );
}
