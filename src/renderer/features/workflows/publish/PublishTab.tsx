import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ENVIRONMENTS, type Environment } from '../../../../contract/vocabulary.ts';
import type { EnvironmentPointer, Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { commitsQuery, environmentsQuery, publicationsQuery, unpublish, workflowKeys } from '../../../api/workflows.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { EnvironmentCard } from './EnvironmentCard.tsx';
import { PublicationLog } from './PublicationLog.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { COLUMNS, PublishSkeleton } from './PublishSkeleton.tsx';
import { toastRequested } from '../../../shell/approvals/toast-requested.ts';
import { RollBack, type RollBackTarget } from './RollBack.tsx';
import { versionBefore, versionOf } from './rules.ts';
import { Loading } from '../../../ui/Loading.tsx';

/** Entries of the log in which the version before is looked for. */
const LOOKED_AT = 100;

export interface PublishView {
  /** The environment whose form is open. */
  readonly environment?: Environment | undefined;
  /** The version that is chosen in it. */
  readonly version?: string | undefined;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
}

/** What each environment answers with, how it came so, and how it goes on. */
export function PublishTab({
  workflow,
  search,
  show,
}: {
  workflow: Workflow;
  search: PublishView;
  show: (change: PublishView, replace?: boolean) => void;
}): ReactNode {
  const client = useQueryClient();
  const environments = useQuery(environmentsQuery(workflow.id));
  const newest = useQuery(commitsQuery(workflow.id, { page: 0, size: 1 }));
  const [taking, setTaking] = useState<EnvironmentPointer | null>(null);
  const [back, setBack] = useState<RollBackTarget | null>(null);
  const log = useQuery(publicationsQuery(workflow.id, { page: 0, size: LOOKED_AT }));
  const pointers = environments.data?.items;
  const open =
    search.environment === undefined
      ? undefined
      : pointers?.find((pointer) => pointer.environment === search.environment);
  const pointerTo = (environment: Environment): EnvironmentPointer =>
    pointers?.find((one) => one.environment === environment) ?? {
      environment,
      hash: null,
      description: null,
      publishedAt: null,
      publishedBy: null,
    };
  const changed = () => client.invalidateQueries({ queryKey: workflowKeys.all });

  const takeOffline = async () => {
    if (taking === null) return;
    const asked = taking.hash === null ? null : await unpublish(workflow.id, taking.environment, taking.hash);
    await changed();
    if (asked && 'requestedBy' in asked) return toastRequested(client);
    toastSuccess(
      t('Unpublished from {environment}', { environment: taking.environment }),
      t('Calls to {id} get 404 NOT_PUBLISHED there.', { id: workflow.id }),
    );
  };

  if (environments.isError && !pointers)
    return <Loading query={environments} what={t('Could not load the environments')} />;
  return (
    <Stack>
      {environments.isError && (
        <StaleBanner
          error={environments.error}
          updatedAt={environments.dataUpdatedAt}
          onRetry={() => void environments.refetch()}
        />
      )}
      {pointers && !log.isPending ? (
        <SimpleGrid cols={COLUMNS}>
          {ENVIRONMENTS.map((environment, index) => {
            const pointer = pointerTo(environment);
            const next = ENVIRONMENTS[index + 1];
            return (
              <EnvironmentCard
                key={environment}
                workflow={workflow}
                pointer={pointer}
                head={newest.data?.items[0] ?? null}
                before={versionBefore(pointer, log.data?.items ?? [])}
                onPublish={() => show({ environment, version: undefined })}
                onRollBack={(version) => setBack({ environment, version })}
                onUnpublish={() => setTaking(pointer)}
                next={next === undefined ? null : pointerTo(next)}
                onPromote={(to, version) => show({ environment: to, version })}
              />
            );
          })}
        </SimpleGrid>
      ) : (
        <PublishSkeleton />
      )}
      <PublicationLog
        workflow={workflow}
        pointers={pointers ?? []}
        page={search.page ?? 0}
        size={search.size ?? 20}
        onPlace={({ page, ...size }) => show({ ...size, page: page || undefined })}
        onRollBack={(entry) => {
          const version = versionOf(entry);
          if (version) setBack({ environment: entry.environment, version });
        }}
      />
      {open && (
        <PublishDialog
          key={open.environment}
          workflow={workflow}
          pointer={open}
          version={search.version}
          onVersion={(version) => show({ version }, true)}
          onClose={() => show({ environment: undefined, version: undefined })}
          onLookAgain={async () => void (await environments.refetch())}
        />
      )}
      <ConfirmAction
        opened={taking !== null}
        onClose={() => setTaking(null)}
        title={t('Unpublish {id} from {environment}?', { id: workflow.id, environment: taking?.environment ?? '' })}
        confirmLabel={t('Unpublish from {environment}', { environment: taking?.environment ?? '' })}
        danger
        onConfirm={takeOffline}
        {...(taking?.environment === 'prod' ? { typed: workflow.id } : {})}
      >
        {t('New calls get 404 NOT_PUBLISHED. Calls in progress finish normally. You can publish again at any time.')}
      </ConfirmAction>
      {back && (
        <RollBack
          workflow={workflow}
          target={back}
          current={versionOf(pointerTo(back.environment))}
          onClose={() => setBack(null)}
        />
      )}
    </Stack>
  );
}
