import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../lib/language.ts';
import { ErrorLine } from './ErrorState.tsx';

export interface SubmitFormProps {
  readonly children: ReactNode;
  /** What the button says; default: Save. */
  readonly submitLabel?: string;
  readonly submitIcon?: ReactNode;
  /** The button has the focus at first. */
  readonly submitFocused?: boolean;
  readonly danger?: boolean;
  /** The button cannot be pressed. */
  readonly disabled?: boolean;
  /** Opposite to the buttons. */
  readonly aside?: ReactNode;
  onCancel(): void;
  /** Null: what was filled in cannot be sent, which the fields say. A throw is shown, and the form stays. */
  onSubmit(): Promise<unknown> | null;
}

/** Fields, what went wrong when they were sent, Cancel, and a button that sends them once. */
export function SubmitForm({
  children,
  submitLabel = t('Save'),
  submitIcon,
  submitFocused = false,
  danger = false,
  disabled = false,
  aside,
  onCancel,
  onSubmit,
}: SubmitFormProps): ReactNode {
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
    <form onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
      <Stack gap="sm">
        {children}
        <ErrorLine error={error} />
        <Group justify={aside === undefined ? 'flex-end' : 'space-between'} gap="xs">
          {aside}
          <Group gap="xs">
            <Button variant="default" onClick={onCancel}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={busy}
              disabled={disabled}
              leftSection={submitIcon}
              color={danger ? 'red.9' : 'yard'}
              {...(submitFocused ? { 'data-autofocus': true } : {})}
            >
              {submitLabel}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
