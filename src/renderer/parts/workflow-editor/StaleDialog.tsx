import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { commitQuery } from '../../api/workflows.ts';
import { ErrorLine, ErrorState } from '../../ui/ErrorState.tsx';
import { HashLabel } from '../../ui/HashLabel.tsx';
import { SkeletonBlock } from '../../ui/Skeletons.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import { rich } from '../../ui/rich.tsx';
import { TextDiff } from '../workflow-diff/TextDiff.tsx';
import { readableDefinition } from '../workflow-text/order.ts';
import { Note } from '../workflow-actions/Note.tsx';

export interface StaleDialogProps {
  readonly workflowId: string;
  /** The head that is newer than what the text began from. */
  readonly head: string;
  readonly text: string;
  readonly onClose: () => void;
  /** Saves this text as the version after the head. Null: there is nothing to save yet, the text only goes on from the head. */
  readonly onRebase: (headText: string) => Promise<void>;
  readonly onOpenHead: (headText: string) => void;
  readonly saving: boolean;
}

/** Somebody saved meanwhile: shows the newer version against this text and asks which way to go on. */
export function StaleDialog({ workflowId, head, text, onClose, onRebase, onOpenHead, saving }: StaleDialogProps): ReactNode {
  const commit = useQuery(commitQuery(workflowId, head));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const headText = commit.data ? readableDefinition(commit.data.definition) : null;

  const rebase = async () => {
    if (headText === null) return;
    setBusy(true);
    setError(null);
    try {
      await onRebase(headText);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };

  return (
    <Modal opened onClose={onClose} title={<strong>{t('A newer version was saved meanwhile')}</strong>} size="90rem">
      <Stack>
        {commit.data && (
          <Group gap={6}>
            <HashLabel hash={head} />
            <Text size="sm">
              {rich('by {name}, {timeAgo}: {message}', { name: commit.data.author.name, timeAgo: <TimeAgo at={commit.data.createdAt} />, message: commit.data.message })}
            </Text>
          </Group>
        )}
        <Note tone="warn" title={t('Your text began from an older version')}>
          {saving ? t('Saving yours after the newer one would undo what the newer version changed, wherever the two differ below.') : t('Going on with yours would undo what the newer version changed, wherever the two differ below.')}{' '}
          {t('Take over what you want to keep first, or open the newer version: your text stays in this browser as a draft.')}
        </Note>
        {commit.isError ? (
          <ErrorState error={commit.error} what={t('The newer version could not be read')} onRetry={() => void commit.refetch()} compact />
        ) : headText === null ? (
          <SkeletonBlock height={320} />
        ) : (
          <TextDiff label={t('Newer version against your text')} before={headText} after={text} beforeTitle={t('Newer version')} afterTitle={t('Yours')} maxHeight="50vh" />
        )}
        {error !== null && <ErrorLine error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Back to my text')}
          </Button>
          <Button variant="default" disabled={headText === null} onClick={() => headText !== null && onOpenHead(headText)}>
            {t('Open the newer version')}
          </Button>
          <Button color="red.8" loading={busy} disabled={headText === null} onClick={() => void rebase()}>
            {saving ? t('Save mine after it') : t('Go on with mine after it')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
