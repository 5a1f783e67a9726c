import { Button, Group, Modal, type MantineSize, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../lib/language.ts';
import { ErrorLine } from './ErrorState.tsx';
import { useFocusBack } from './focus-back.ts';

export interface FormDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Default: it is. */
  readonly opened?: boolean;
  readonly size?: MantineSize;
  /** The button cannot be pressed. */
  readonly disabled?: boolean;
  onClose(): void;
  /** Null: what was filled in cannot be sent, which the fields say. A throw is shown, and the form stays. */
  onSubmit(): Promise<void> | null;
}

/** Fields in a dialog that Save sends. */
export function FormDialog({
  title,
  children,
  opened = true,
  size = 'md',
  disabled = false,
  onClose,
  onSubmit,
}: FormDialogProps): ReactNode {
  useFocusBack(opened);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || disabled) return;
    const sent = onSubmit();
    if (sent === null) return;
    setBusy(true);
    setError(null);
    await sent.catch(setError);
    setBusy(false);
  };
  return (
    <Modal opened={opened} onClose={onClose} title={<strong>{title}</strong>} size={size}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm">
          {children}
          {error !== null && <ErrorLine error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={disabled}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
