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
      guarded={false}
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
          label={rich('Type {code} to confirm', { code: <code>{typed}</code> })}
          {...bindText(text, setText)}
          autoComplete="off"
          data-autofocus
        />
      )}
    </FormDialog>
  );
}

/** A question, and what is done where the answer is yes. */
export interface Question extends Pick<ConfirmActionProps, 'title' | 'confirmLabel' | 'danger' | 'typed'> {
  /** What will happen, and whether it can be undone. */
  readonly text: ReactNode;
  run(): Promise<void>;
}

/** `ask` opens a dialog for a question, `isAsking` while it is open; `dialog` has to stand somewhere in what is drawn. */
export function useConfirm(): { ask(question: Question): void; isAsking: boolean; dialog: ReactNode } {
  const [question, setQuestion] = useState<Question | null>(null);
  // The question is kept while its dialog fades, so that its words do not change under the eye.
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return {
    ask(next) {
      setQuestion(next);
      setOpened(true);
    },
    isAsking: opened,
    dialog: question && (
      <ConfirmAction {...question} opened={opened} onClose={close} onConfirm={question.run}>
        {question.text}
      </ConfirmAction>
    ),
  };
}
