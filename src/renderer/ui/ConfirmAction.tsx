import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../lib/language.ts';
import { ErrorLine } from './ErrorState.tsx';
import { useFocusBack } from './focus-back.ts';
import { rich } from './rich.tsx';

export interface ConfirmActionProps {
  opened: boolean;
  onClose(): void;
  /** Says what and how many: 'Kill 3 jobs?' */
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** Says it again: 'Kill 3 jobs'. */
  confirmLabel: string;
  onConfirm(): Promise<void>;
  danger?: boolean;
  /** The text that must be typed first. */
  typed?: string;
}

/** Asks once. Stays open, with the reason, where the action fails. */
export function ConfirmAction({ opened, onClose, ...rest }: ConfirmActionProps) {
  useFocusBack(opened);
  return (
    <Modal opened={opened} onClose={onClose} title={<strong>{rest.title}</strong>}>
      <Body onClose={onClose} {...rest} />
    </Modal>
  );
}

function Body({
  onClose,
  children,
  confirmLabel,
  onConfirm,
  danger = false,
  typed,
}: Omit<ConfirmActionProps, 'opened' | 'title'>) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const allowed = typed === undefined || text === typed;

  async function confirm(event: FormEvent) {
    event.preventDefault();
    if (!allowed || busy) return;
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void confirm(event)}>
      <Stack gap="sm">
        <div>{children}</div>
        {typed !== undefined && (
          <TextInput
            label={<>{rich('Type {code} to go on', { code: <code>{typed}</code> })}</>}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <ErrorLine error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            color={danger ? 'red.9' : 'yard'}
            loading={busy}
            disabled={!allowed}
            {...(typed === undefined ? { 'data-autofocus': true } : {})}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
