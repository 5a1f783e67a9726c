import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Commit, Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { commitQuery, createCommit, workflowKeys } from '../../../api/workflows.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import type { DiffForm } from '../diff/VersionDiff.tsx';
import { type EditorSession, isDirty } from '../draft/session.ts';
import { readableDefinition } from '../readable-definition.ts';
import { CompareView } from './CompareView.tsx';
import { type VersionActions, VersionActionsContext } from './context.ts';
import { History } from './History.tsx';
import { TagsDialog } from './TagsDialog.tsx';
import { VersionView } from './VersionView.tsx';
import { Button, Text, Textarea } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { bindText } from '../../../ui/bind.ts';
import { versionName } from '../version-name.ts';

export interface VersionsView {
  readonly version?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly view?: DiffForm | undefined;
}

export interface VersionsTabProps {
  readonly workflow: Workflow;
  readonly session: EditorSession;
  readonly search: VersionsView;
  readonly show: (change: VersionsView, replace?: boolean) => void;
  readonly onEdit: () => void;
  readonly onPublish: (hash: string) => void;
}

/** The history: every version, any one read-only, any two compared. */
export function VersionsTab({ workflow, session, search, show, onEdit, onPublish }: VersionsTabProps): ReactNode {
  const client = useQueryClient();
  const [restoring, setRestoring] = useState<Commit | null>(null);
  const [tagging, setTagging] = useState<Commit | null>(null);
  const [overwrite, setOverwrite] = useState<Commit | null>(null);

  const load = async (commit: Commit) => {
    const { definition } = await client.fetchQuery(commitQuery(workflow.id, commit.hash));
    if (!session.store.getState().begun && workflow.head !== null) {
      const head = await client.fetchQuery(commitQuery(workflow.id, workflow.head));
      session.begin(readableDefinition(head.definition), workflow.head);
    }
    session.edit(readableDefinition(definition));
    session.keep();
    onEdit();
  };
  const actions: VersionActions = {
    workflow,
    open: (version) => show({ version, from: undefined, to: undefined }),
    compare: (from, to) => show({ from, to, version: undefined }),
    restore: setRestoring,
    load: (commit) => (isDirty(session.store.getState()) ? setOverwrite(commit) : void load(commit)),
    publish: onPublish,
    tag: setTagging,
  };
  const back = () => show({ version: undefined, from: undefined, to: undefined, view: undefined });

  return (
    <VersionActionsContext value={actions}>
      {search.from && search.to ? (
        <CompareView
          from={search.from}
          to={search.to}
          form={search.view ?? 'canvas'}
          onForm={(view) => show({ view: view === 'canvas' ? undefined : view }, true)}
          onBack={back}
        />
      ) : search.version ? (
        <VersionView hash={search.version} onBack={back} />
      ) : (
        <History onEdit={onEdit} />
      )}
      <ConfirmAction
        opened={overwrite !== null}
        onClose={() => setOverwrite(null)}
        title={t('Replace the draft in the builder?')}
        confirmLabel={t('Replace')}
        onConfirm={async () => {
          if (overwrite) await load(overwrite);
        }}
      >
        {t('The builder has unsaved changes. Loading version {value} replaces them.', {
          value: overwrite ? versionName(overwrite) : '',
        })}
      </ConfirmAction>
      {tagging && <TagsDialog workflowId={workflow.id} commit={tagging} onClose={() => setTagging(null)} />}
      {restoring && (
        <RestoreDialog
          workflow={workflow}
          commit={restoring}
          onClose={() => setRestoring(null)}
          onCompare={() => {
            setRestoring(null);
            if (workflow.head !== null) actions.compare(workflow.head, restoring.hash);
          }}
        />
      )}
    </VersionActionsContext>
  );
}

/** Saves a new version that holds what an older one held. Nothing of the history is lost, and nothing is published. */
function RestoreDialog({
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
  const short = versionName(commit);
  const [message, setMessage] = useState(() =>
    t('Restore {short}: {message}', { short, message: commit.message.split('\n')[0] ?? '' }),
  );
  const restore = async () => {
    const { definition } = await client.fetchQuery(commitQuery(workflow.id, commit.hash));
    const made = await createCommit(workflow.id, { definition, message: message.trim(), parent: workflow.head });
    await client.invalidateQueries({ queryKey: workflowKeys.all });
    toastSuccess(
      t('Saved version {value}', { value: versionName(made) }),
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
        {...bindText(message, setMessage)}
        maxLength={10_000}
        autosize
        minRows={2}
        maxRows={6}
        data-autofocus
      />
    </FormDialog>
  );
}
