import { Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { Callout } from '../../../ui/Callout.tsx';
import { bindText } from '../../../ui/bind.ts';

export interface SaveDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Faults that keep it from being published. */
  readonly faults: number;
  readonly changed: boolean;
  /** Resolves once it is saved (or handed on to another dialog); a throw is shown. */
  readonly onSave: (message: string) => Promise<void>;
}

/** Asks what changed, then saves. The message is kept while the dialog is closed and opened again. */
export function SaveDialog({ opened, onClose, faults, changed, onSave }: SaveDialogProps): ReactNode {
  const [message, setMessage] = useState('');
  const [tried, setTried] = useState(false);
  const save = async () => {
    await onSave(message.trim());
    setMessage('');
    setTried(false);
  };

  return (
    <FormDialog
      title={t('Save version')}
      opened={opened}
      // Nothing is lost: the message is there again the next time.
      guarded={false}
      onClose={onClose}
      onSubmit={() => (setTried(true), message.trim() === '' ? null : save())}
    >
      {faults > 0 && (
        <Callout tone="warn" title={tn('{count} problem in the graph', '{count} problems in the graph', faults)}>
          {t("You can save it as work in progress, but you can't publish it until they are fixed.")}
        </Callout>
      )}
      {!changed && <Text size="sm">{t('There are no changes. A new version is created anyway.')}</Text>}
      <Textarea
        label={t('Version message')}
        description={t('Shown in the version history. Ctrl+Enter saves.')}
        {...bindText(message, setMessage)}
        maxLength={10_000}
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
        required
        error={tried && message.trim() === '' ? t('Describe the change in one line.') : null}
      />
    </FormDialog>
  );
}
