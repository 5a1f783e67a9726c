import { Button, Group, Stack } from '@mantine/core';
import { t } from '../../../../lib/language.ts';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import states from '../../../ui/States.module.css';

/** A fresh secret: the only moment it can be read. */
export function SecretOnce({ what, secret, onClose }: { what: string; secret: string; onClose(): void }) {
  return (
    <Stack gap="sm">
      <div className={states['line']} data-shade="warn" role="status">
        {t("Copy it now. It can't be shown again: only its hash is stored.")}
      </div>
      <CommandLine label={what} command={secret} copy={t('Copy secret')} />
      <Group justify="flex-end">
        {/* It takes the place of the form whose button made it. */}
        <Button onClick={onClose} autoFocus data-autofocus>
          {t('I have copied it')}
        </Button>
      </Group>
    </Stack>
  );
}
