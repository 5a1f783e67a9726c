import { Group, Text } from '@mantine/core';
import { IconArrowsDiff, IconHistory, IconPencil } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Commit, Workflow } from '../../../contract/api.ts';
import { t, tn } from '../../../lib/language.ts';
import { commitQuery, commitsQuery } from '../../api/workflows.ts';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ReasonButton } from '../workflow-actions/ReasonButton.tsx';
import type { DiffForm } from '../workflow-diff/VersionDiff.tsx';
import { type EditorSession, isDirty } from '../workflow-editor/session.ts';
import { readableDefinition } from '../workflow-text/order.ts';
import { versionColumns } from './columns.tsx';
import { CompareView } from './CompareView.tsx';
import { type VersionActions, VersionActionsContext } from './context.ts';
import { VersionView } from './VersionView.tsx';

export interface VersionsView {
  readonly version?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly view?: DiffForm | undefined;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
}

export interface VersionsTabProps {
  readonly workflow: Workflow;
  readonly session: EditorSession;
  readonly search: VersionsView;
  readonly show: (change: VersionsView, replace?: boolean) => void;
  readonly onEdit: () => void;
  readonly onPublish: (hash: string) => void;
}

const SIZE = 50;

/** The history: every version, any one read-only, any two compared. */
export function VersionsTab({ workflow, session, search, show, onEdit, onPublish }: VersionsTabProps): ReactNode {
  const client = useQueryClient();
  const params = { page: search.page ?? 0, size: search.size ?? SIZE };
  const query = useQuery(commitsQuery(workflow.id, params));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
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
    restore: (commit) => (isDirty(session.store.getState()) ? setOverwrite(commit) : void load(commit)),
    publish: onPublish,
  };
  const commits = query.data?.items;
  // The older of the two comes first, whichever was selected first.
  const pair = useMemo(() => (commits ?? []).filter((commit) => selected.has(commit.hash)).map((commit) => commit.hash).reverse(), [commits, selected]);
  const select = (next: ReadonlySet<string>) => setSelected(new Set([...next].slice(-2)));
  const back = () => show({ version: undefined, from: undefined, to: undefined, view: undefined });

  return (
    <VersionActionsContext value={actions}>
      {search.from && search.to ? (
        <CompareView from={search.from} to={search.to} form={search.view ?? 'canvas'} onForm={(view) => show({ view: view === 'canvas' ? undefined : view }, true)} onBack={back} />
      ) : search.version ? (
        <VersionView hash={search.version} onBack={back} />
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {t('Select two versions to compare them; open one to read it.')}
            </Text>
            <ReasonButton size="xs" variant="default" leftSection={<IconArrowsDiff size={14} aria-hidden="true" />} reason={pair.length === 2 ? null : tn('Select two versions of this page first; {count} is selected.', 'Select two versions of this page first; {count} are selected.', pair.length)} onClick={() => pair[0] && pair[1] && actions.compare(pair[0], pair[1])}>
              {t('Compare')}
            </ReasonButton>
          </Group>
          <DataTable
            label={t('Versions of {id}', { id: workflow.id })}
            columns={versionColumns}
            rows={commits}
            rowId={(commit) => commit.hash}
            query={query}
            what={t('The history could not be read')}
            page={{ ...params, totalItems: query.data?.totalItems ?? 0, totalPages: query.data?.totalPages ?? 0, onPage: (page) => show({ page: page === 0 ? undefined : page }), onSize: (size) => show({ size, page: undefined }) }}
            selection={{ selected, onChange: select }}
            onOpen={(commit) => actions.open(commit.hash)}
            storageKey="versions"
            fill
            empty={
              <EmptyState icon={IconHistory} title={t('No version yet')} action={<ReasonButton leftSection={<IconPencil size={16} aria-hidden="true" />} reason={null} onClick={onEdit}>{t('Open the editor')}</ReasonButton>}>
                {t('Each save in the editor makes one. It never changes afterwards and can be published to any environment.')}
              </EmptyState>
            }
          />
        </>
      )}
      <ConfirmAction opened={overwrite !== null} onClose={() => setOverwrite(null)} title={t('Replace the text in the editor?')} confirmLabel={t('Replace')} onConfirm={async () => {
          if (overwrite) await load(overwrite);
        }}>
        {t('The editor holds changes that were not saved. Loading version {value} puts its text in their place.', { value: overwrite?.hash.slice(0, 8) ?? '' })}
      </ConfirmAction>
    </VersionActionsContext>
  );
}
