import { notifications } from '@mantine/notifications';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, type ReactNode, useEffect, useState } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { publish, unpublish, workflowKeys } from '../../../api/workflows.ts';
import { onClose, toastSuccess, toastError, dismissToast, MessageAction } from '../../../ui/toasts.tsx';
import { toastRequested } from '../../../shell/approvals/toast-requested.ts';
import { type NamedVersion, versionName } from '../version-name.ts';
import { savedMessage } from './rules.ts';
import { Group } from '@mantine/core';

export interface Change {
  readonly workflowId: string;
  readonly environment: Environment;
  readonly version: NamedVersion;
  readonly description: string;
  /** What the environment was seen to point to; null: nothing. */
  readonly expected: NamedVersion | null;
  /** Although tests fail; for administrators. */
  readonly override?: boolean;
}

/**
 * Publishes at once and offers to take it back. The undo is a publication too: of what was there before, or none; it is
 * refused where somebody else has published meanwhile.
 */
export function usePublish(): (change: Change) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (change) => {
      const { workflowId, environment, version, description, expected, override = false } = change;
      const { hash } = version;
      const published = await publish(workflowId, environment, {
        hash,
        description,
        expected: expected?.hash ?? null,
        // A master of an earlier release does not know the word.
        ...(override && { override }),
      });
      dismissToast(savedMessage(workflowId));
      if ('requestedBy' in published) return toastRequested(client);
      await client.invalidateQueries({ queryKey: workflowKeys.all });
      const id = `publication ${workflowId} ${environment}`;
      const short = versionName(version);
      const undo = async () => {
        notifications.hide(id);
        try {
          if (expected === null) await unpublish(workflowId, environment, hash);
          else
            await publish(workflowId, environment, {
              hash: expected.hash,
              description: t('Publication of {short} undone', { short }),
              expected: hash,
            });
          toastSuccess(
            t('Publication of {short} undone', { short }),
            expected === null
              ? t('{environment} is unpublished again.', { environment })
              : t('{environment} runs {before} again.', { environment, before: versionName(expected) }),
          );
        } catch (error) {
          toastError(t('Could not undo the publication'), error);
        } finally {
          await client.invalidateQueries({ queryKey: workflowKeys.all });
        }
      };
      notifications.hide(id);
      notifications.show({
        id,
        color: 'teal.8',
        icon: <IconCheck size={16} aria-hidden />,
        autoClose: false,
        onClose,
        title: t('Published {value} to {environment}', { value: short, environment }),
        message: (
          <UndoLine
            message={t('It is used from the next call on.')}
            onUndo={() => void undo()}
            onOver={() => notifications.hide(id)}
          />
        ),
        closeButtonProps: { 'aria-label': t('Close message') },
      });
    },
    [client],
  );
}

/** Seconds that a publication can be taken back with one press. */
const UNDO_SECONDS = 5;

/** What was done, and a button that takes it back while its seconds count down. They stand still under the pointer and the focus. */
function UndoLine({ message, onUndo, onOver }: { message: string; onUndo: () => void; onOver: () => void }): ReactNode {
  const [left, setLeft] = useState(UNDO_SECONDS);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    if (left <= 0) {
      onOver();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, held, onOver]);
  return (
    <Group
      gap="sm"
      wrap="nowrap"
      justify="space-between"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>
        {message} {/* Or each second would be said. */}
        <span aria-hidden>{t('{left} s left', { left })}</span>
      </span>
      <MessageAction onClick={onUndo}>{t('Undo publication')}</MessageAction>
    </Group>
  );
}
