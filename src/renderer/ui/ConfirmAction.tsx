import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from './FormDialog.tsx';
import { rich } from './rich.tsx';
import { bindText } from './bind.ts';

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
export function ConfirmAction({
  opened,
  onClose,
  title,
  children,
  confirmLabel,
  onConfirm,
  danger = false,
  typed,
}: ConfirmActionProps): ReactNode {
  const [text, setText] = useState('');
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      title={title}
      onClose={close}
      submitLabel={confirmLabel}
      submitFocused={typed === undefined}
      danger={danger}
      disabled={typed !== undefined && text !== typed}
      onSubmit={() => onConfirm().then(close)}
    >
      <div>{children}</div>
      {typed !== undefined && (
        <TextInput
          label={<>{rich('Type {code} to confirm', { code: <code>{typed}</code> })}</>}
          {...bindText(text, setText)}
          autoComplete="off"
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
