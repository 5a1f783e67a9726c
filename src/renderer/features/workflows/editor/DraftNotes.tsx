import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import { createDrafts, type Draft } from '../draft/drafts.ts';
import { readableDefinition } from '../readable-definition.ts';
import classes from './DraftNotes.module.css';
import { type EditorSession, isDirty } from '../draft/session.ts';

/** What an author has to know before he goes on: a newer version, or a draft that began from an older one. */
export function DraftNotes({
  workflow,
  session,
  onCompare,
}: {
  workflow: Workflow;
  session: EditorSession;
  onCompare: (head: string) => void;
}): ReactNode {
  const client = useQueryClient();
  const state = useStore(session.store);
  const [seen, setSeen] = useState(0);
  const { parent } = state;
  const drafts = useMemo(() => createDrafts(window.localStorage), []);
  const others = useMemo(
    () => drafts.of(workflow.id).filter((draft) => draft.parent !== parent),
    [drafts, workflow.id, parent, seen],
  );
  const other = others[0];
  const behind = workflow.head !== null && workflow.head !== parent && isDirty(state);

  const take = async (draft: Draft) => {
    try {
      const base =
        draft.parent === null
          ? ''
          : readableDefinition((await client.fetchQuery(commitQuery(workflow.id, draft.parent))).definition);
      session.take(draft.text, base, draft.parent);
    } catch (error) {
      toastError(t('Could not open the draft'), error);
    }
  };

  return (
    <div aria-live="polite" className={classes.notes}>
      {behind && (
        <Group className={classes.note} data-tone="warn" gap="sm">
          <Text size="sm" flex={1}>
            {rich('A newer version {code} was saved after you started editing. Your draft is based on {code2}.', {
              code: <code>{workflow.head?.slice(0, 8)}</code>,
              code2: <code>{parent?.slice(0, 8) ?? t('no version')}</code>,
            })}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => workflow.head !== null && onCompare(workflow.head)}
          >
            {t('View diff')}
          </Button>
        </Group>
      )}
      {other && !isDirty(state) && (
        <Group className={classes.note} data-tone="info" gap="sm">
          <Text size="sm" flex={1}>
            {rich('You have a draft ({timeAgo}) {value}, not on the latest version.', {
              timeAgo: <TimeAgo at={new Date(other.at).toISOString()} />,
              value:
                other.parent === null
                  ? t('from before the first version')
                  : rich('based on {code}', { code: <code>{other.parent.slice(0, 8)}</code> }),
            })}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => void take(other)}>
            {t('Open draft')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              drafts.drop(workflow.id, other.parent);
              setSeen((count) => count + 1);
            }}
          >
            {t('Discard draft')}
          </Button>
        </Group>
      )}
    </div>
  );
}
