import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDiscardGuard } from './discard-guard.tsx';
import { useRestoreFocus } from './restore-focus.ts';
import { SendingContext } from './use-sending.ts';

export interface FormModalProps extends Omit<ModalProps, 'title' | 'children'> {
  readonly title: string;
  /** It asks before what was entered is lost; default: it does. */
  readonly guarded?: boolean | undefined;
  readonly children: ReactNode;
}

/** A dialog around a form: Escape or a click outside does not lose what was entered in it. */
export function FormModal({ title, guarded = true, onClose, children, ...modal }: FormModalProps): ReactNode {
  useRestoreFocus(modal.opened);
  const guard = useDiscardGuard(onClose);
  return (
    <>
      <Modal {...modal} title={<strong>{title}</strong>} onClose={guarded ? guard.close : onClose}>
        <SendingContext value={guard.sending}>
          <div {...guard.fields}>{children}</div>
        </SendingContext>
      </Modal>
      {guarded && guard.question}
    </>
  );
}
