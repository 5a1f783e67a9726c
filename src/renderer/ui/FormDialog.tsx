import { Modal, type MantineSize } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRestoreFocus } from './restore-focus.ts';
import { SubmitForm, type SubmitFormProps } from './SubmitForm.tsx';

export interface FormDialogProps extends Omit<SubmitFormProps, 'onCancel'> {
  readonly title: string;
  /** Default: it is. */
  readonly opened?: boolean;
  readonly size?: MantineSize;
  onClose(): void;
}

/** Fields in a dialog that are sent together. */
export function FormDialog({ title, opened = true, size = 'md', onClose, ...form }: FormDialogProps): ReactNode {
  useRestoreFocus(opened);
  return (
    <Modal opened={opened} onClose={onClose} title={<strong>{title}</strong>} size={size}>
      <SubmitForm onCancel={onClose} {...form} />
    </Modal>
  );
}
