import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Commit, Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { commitQuery, createCommit, workflowKeys } from '../../../api/workflows.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { useFocusBack } from '../../../ui/focus-back.ts';
import { rich } from '../../../ui/rich.tsx';
import { sayDone } from '../../../ui/toasts.tsx';

/** Saves a new version that holds what an older one held. Nothing of the history is lost, and nothing is published. */
export function RestoreDialog({
  workflow,
  commit,
  onClose,
  onCompare,
}: {
  workflow: Workflow;
  commit: Commit;
  onClose: () => void;
  onCompare: () => void;
}): ReactNode {
  useFocusBack(true);
  const client = useQueryClient();
  const short = commit.hash.slice(0, 8);
  const [message, setMessage] = useState(() =>
    t('Restore {short}: {message}', { short, message: commit.message.split('\n')[0] ?? '' }),
  );
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || message.trim() === '') return;
    setBusy(true);
    setError(null);
    try {
      const { definition } = await client.fetchQuery(commitQuery(workflow.id, commit.hash));
      const made = await createCommit(workflow.id, { definition, message: message.trim(), parent: workflow.head });
      await client.invalidateQueries({ queryKey: workflowKeys.all });
      sayDone(
        t('Saved version {value}', { value: made.hash.slice(0, 8) }),
        t('It holds what {short} held. Publish it when you are ready.', { short }),
      );
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={<strong>{t('Restore version {short}?', { short })}</strong>}>
      <form onSubmit={(event) => void run(event)}>
        <Stack gap="sm">
          <Text size="sm">
            {rich(
              'A new version is saved that is the same as {code}. The versions between stay in the history, and what is published does not change.',
              { code: <code>{short}</code> },
            )}
          </Text>
          <Textarea
            label={t('What changed')}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
            maxLength={10_000}
            autosize
            minRows={2}
            maxRows={6}
            data-autofocus
          />
          {error !== null && <ErrorLine error={error} />}
          <Group justify="space-between">
            <Button variant="subtle" onClick={onCompare}>
              {t('See what would change')}
            </Button>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button
                type="submit"
                loading={busy}
                disabled={message.trim() === ''}
                leftSection={<IconHistory size={16} aria-hidden="true" />}
              >
                {t('Restore')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
