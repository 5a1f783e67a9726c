import { Button, Text, Textarea } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Commit, Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { commitQuery, createCommit, workflowKeys } from '../../../api/workflows.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';

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
  const client = useQueryClient();
  const short = commit.hash.slice(0, 8);
  const [message, setMessage] = useState(() =>
    t('Restore {short}: {message}', { short, message: commit.message.split('\n')[0] ?? '' }),
  );
  const restore = async () => {
    const { definition } = await client.fetchQuery(commitQuery(workflow.id, commit.hash));
    const made = await createCommit(workflow.id, { definition, message: message.trim(), parent: workflow.head });
    await client.invalidateQueries({ queryKey: workflowKeys.all });
    toastSuccess(
      t('Saved version {value}', { value: made.hash.slice(0, 8) }),
      t('It has the same content as {short}. Publish it when you are ready.', { short }),
    );
    onClose();
  };
  return (
    <FormDialog
      title={t('Restore version {short}?', { short })}
      submitLabel={t('Restore')}
      submitIcon={<IconHistory size={16} aria-hidden="true" />}
      disabled={message.trim() === ''}
      aside={
        <Button variant="subtle" onClick={onCompare}>
          {t('View changes')}
        </Button>
      }
      onClose={onClose}
      onSubmit={restore}
    >
      <Text size="sm">
        {rich(
          'This saves a new version with the content of {code}. The history is kept, and published versions do not change.',
          { code: <code>{short}</code> },
        )}
      </Text>
      <Textarea
        label={t('Version message')}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={10_000}
        autosize
        minRows={2}
        maxRows={6}
        data-autofocus
      />
    </FormDialog>
  );
}
