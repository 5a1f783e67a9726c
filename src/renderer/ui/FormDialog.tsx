import type { MantineSize } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import css from './FormDialog.module.css';
import { FormModal } from './FormModal.tsx';
import { SubmitForm, type SubmitFormProps } from './SubmitForm.tsx';

export interface FormDialogProps extends Omit<SubmitFormProps, 'onCancel'> {
  readonly title: string;
  /** Default: it is. */
  readonly opened?: boolean;
  readonly size?: MantineSize;
  /** It asks before what was entered is lost; default: it does. */
  readonly guarded?: boolean;
  onClose(): void;
}

/** Fields in a dialog that are sent together. */
export function FormDialog({
  title,
  opened = true,
  size = 'md',
  guarded,
  onClose,
  ...form
}: FormDialogProps): ReactNode {
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      guarded={guarded}
      classNames={{ content: css['content'] ?? '' }}
    >
      <FocusAtOnce>
        <SubmitForm onCancel={onClose} {...form} />
      </FocusAtOnce>
    </FormModal>
  );
}

/** The dialog gives its first field the focus a moment after it is there, and what is typed until then would go to the page. */
function FocusAtOnce({ children }: { children: ReactNode }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () =>
      box.current?.querySelector<HTMLElement>(':is(input, textarea)[data-autofocus]')?.focus({ preventScroll: true }),
    [],
  );
  return (
    <div ref={box} className={css['dialog']}>
      {children}
    </div>
  );
}
