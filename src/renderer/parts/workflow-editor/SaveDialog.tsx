import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import { Note } from '../workflow-actions/Note.tsx';

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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    setTried(true);
    if (message.trim() === '' || busy) return;
    setBusy(true);
    setError(null);
    try {
      await onSave(message.trim());
      setMessage('');
      setTried(false);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
  };

  return (
    <Modal opened={opened} onClose={onClose} title={<strong>Save a version</strong>} size="md">
      <form onSubmit={submit} noValidate>
        <Stack>
          {faults > 0 && (
            <Note tone="warn" title={`${faults} ${faults === 1 ? 'fault' : 'faults'} in the graph`}>
              It is saved as work in progress and cannot be published before they are mended.
            </Note>
          )}
          {!changed && <Text size="sm">Nothing was changed. A version is made all the same.</Text>}
          <Textarea
            label="What changed"
            description="The message of the version. Ctrl+Enter saves."
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            maxLength={10_000}
            autosize
            minRows={3}
            maxRows={10}
            data-autofocus
            required
            error={tried && message.trim() === '' ? 'Say in a line what changed.' : null}
          />
          {error !== null && <ErrorLine error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
