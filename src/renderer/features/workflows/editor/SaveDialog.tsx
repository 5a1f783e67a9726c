import { Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { Callout } from '../../../ui/Callout.tsx';

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
      title={t('Save a version')}
      opened={opened}
      onClose={onClose}
      onSubmit={() => (setTried(true), message.trim() === '' ? null : save())}
    >
      {faults > 0 && (
        <Callout tone="warn" title={tn('{count} fault in the graph', '{count} faults in the graph', faults)}>
          {t('It is saved as work in progress and cannot be published before they are mended.')}
        </Callout>
      )}
      {!changed && <Text size="sm">{t('Nothing was changed. A version is made all the same.')}</Text>}
      <Textarea
        label={t('What changed')}
        description={t('The message of the version. Ctrl+Enter saves.')}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={10_000}
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
        required
        error={tried && message.trim() === '' ? t('Say in a line what changed.') : null}
      />
    </FormDialog>
  );
}
