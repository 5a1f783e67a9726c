import { Button, Group, Stack, Tooltip } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { t } from '../../lib/language.ts';
import { ErrorLine } from './ErrorState.tsx';
import { useCancel, useSending } from './use-sending.ts';

export interface SubmitFormProps {
  readonly children: ReactNode;
  /** What the button says; default: Save. */
  readonly submitLabel?: string;
  readonly submitIcon?: ReactNode;
  /** The button has the focus at first. */
  readonly submitFocused?: boolean;
  readonly danger?: boolean;
  /** Something is missing yet: the button sends nothing. A text: why, where no field can mend it. */
  readonly disabled?: boolean | string;
  /** Opposite to the buttons. */
  readonly aside?: ReactNode;
  onCancel(): void;
  /** What shows a throw; null: the usual line does. */
  readonly showError?: (error: unknown) => ReactNode;
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
  showError,
  onCancel,
  onSubmit,
}: SubmitFormProps): ReactNode {
  const { busy, error, send } = useSending();
  const cancel = useCancel(onCancel);
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (disabled === true) return showFault(form.current);
    if (disabled !== false) return;
    const sent = onSubmit();
    if (sent !== null) void send(() => sent);
    else requestAnimationFrame(() => showFault(form.current));
  };
  return (
    <form ref={form} onSubmit={submit} noValidate autoComplete="off">
      <Stack gap="sm">
        {children}
        {(error !== null && showError?.(error)) || <ErrorLine error={error} />}
        <Group justify={aside === undefined ? 'flex-end' : 'space-between'} gap="xs" data-form-foot>
          {aside}
          <Group gap="xs">
            <Button variant="default" onClick={cancel}>
              {t('Cancel')}
            </Button>
            {/* It stays in the tab order while it is off, and leads to the field that is missing. */}
            <Tooltip
              label={typeof disabled === 'string' ? disabled : t('The form is not complete yet.')}
              disabled={disabled === false}
              events={{ hover: true, focus: true, touch: true }}
            >
              <Button
                type="submit"
                loading={busy}
                aria-disabled={disabled !== false}
                {...(disabled !== false ? { 'data-disabled': true } : {})}
                leftSection={submitIcon}
                color={danger ? 'red.9' : 'yard'}
                {...(submitFocused ? { 'data-autofocus': true } : {})}
              >
                {submitLabel}
              </Button>
            </Tooltip>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

/** In a long form the field that is wrong or missing may be out of sight, or behind the title. */
function showFault(form: HTMLElement | null): void {
  const field =
    form?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    [...(form?.querySelectorAll<HTMLInputElement>(':is(input, textarea)[required]') ?? [])].find(
      ({ value }) => value.trim() === '',
    ) ??
    form?.querySelector<HTMLElement>(':is(input, textarea):not(:disabled)');
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center' });
}
