import { Button, Stack } from '@mantine/core';
import { IconAlertTriangle, IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { Cluster, ClusterMaster } from '../../../contract/cluster.ts';
import { epochOf, ownerOf, shortMasterId, standbysOf } from '../../../lib/cluster.ts';
import { t, tn } from '../../../lib/language.ts';
import { clusterQuery, handOver } from '../../api/cluster.ts';
import { useCommands } from '../../keyboard/use-shortcut.ts';
import { useWhy } from '../../stores/role.ts';
import { useConfirm } from '../../ui/ConfirmAction.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import states from '../../ui/States.module.css';
import { StaleBanner } from '../../ui/StaleBanner.tsx';
import { toastSuccess } from '../../ui/toasts.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import css from './list/Cluster.module.css';
import { FAILOVER_COLUMNS } from './list/failover-columns.tsx';
import { JournalSection } from './list/JournalSection.tsx';
import { masterColumns } from './list/master-columns.tsx';
import { ProjectionSection } from './list/ProjectionSection.tsx';
import { SingleMaster } from './list/SingleMaster.tsx';

/** The masters that share the state: who owns it, who could take over, and what happened. */
export function ClusterPage(): ReactNode {
  const query = useQuery(clusterQuery());
  const { data } = query;
  return (
    <Page>
      <PageHeader
        title={t('Cluster')}
        meta={
          data?.mode === 'cluster' && (
            <span className="dim numbers">{tn('{count} master', '{count} masters', data.masters.length)}</span>
          )
        }
        subtitle={data?.mode === 'cluster' ? ownerText(data) : undefined}
        actions={data?.mode === 'cluster' && <HandOver cluster={data} />}
      />
      {data === undefined ? (
        <Loading query={query} what={t('Could not load the cluster')} lines={6} />
      ) : data.mode === 'single' ? (
        <SingleMaster cluster={data} />
      ) : (
        <>
          {query.error && (
            <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
          )}
          <Warning cluster={data} />
          <Masters cluster={data} />
          {data.journal && <JournalSection journal={data.journal} masters={data.masters} />}
          {data.projection && <ProjectionSection projection={data.projection} masters={data.masters} />}
          <Failovers cluster={data} />
        </>
      )}
    </Page>
  );
}

function ownerText(cluster: Cluster): string {
  const owner = ownerOf(cluster);
  const epoch = epochOf(cluster);
  return owner === null
    ? t('Epoch {epoch}, no owner', { epoch })
    : t('Epoch {epoch}, owned by {id} ({url})', { epoch, id: shortMasterId(owner.id), url: owner.url });
}

/** What keeps the cluster from what it is for. */
function Warning({ cluster }: { cluster: Cluster }) {
  const text =
    ownerOf(cluster) === null
      ? t('No master owns the state. Calls wait until one takes over; nothing that was acknowledged is lost.')
      : standbysOf(cluster).length === 0
        ? t('No standby could take over. Start another master with the same --store.')
        : null;
  return (
    <>
      <div role="status" className={text === null ? 'visually-hidden' : states['line']} data-shade="warn">
        {text !== null && (
          <>
            <IconAlertTriangle size={16} aria-hidden />
            <span>{text}</span>
          </>
        )}
      </div>
      {cluster.warnings?.map((warning) => (
        <div key={warning} className={states['line']} data-shade="warn">
          <IconAlertTriangle size={16} aria-hidden />
          <span>{warning}</span>
        </div>
      ))}
    </>
  );
}

const leastLag = (standbys: readonly ClusterMaster[]): ClusterMaster | undefined =>
  standbys.toSorted((a, b) => a.lagMs - b.lagMs)[0];

function useHandOver() {
  const whyAdmin = useWhy('settings.manage');
  const { ask, dialog } = useConfirm();
  return {
    why: whyAdmin,
    dialog,
    ask: ({ id, url }: ClusterMaster) =>
      ask({
        title: t('Hand over to {id}?', { id: shortMasterId(id) }),
        confirmLabel: t('Hand over'),
        text: t(
          '{url} becomes the owner of the state. Calls wait for about a second and none fails; workers keep their tasks.',
          { url },
        ),
        async run() {
          await handOver(id);
          toastSuccess(t('Handing over to {id}', { id: shortMasterId(id) }));
        },
      }),
  };
}

/** To the standby with the least lag. */
function HandOver({ cluster }: { cluster: Cluster }) {
  const { why, ask, dialog } = useHandOver();
  const to = leastLag(standbysOf(cluster));
  const off = why ?? (to === undefined ? t('No standby could take over') : undefined);
  const run = () => to !== undefined && ask(to);
  useCommands(off === undefined ? [{ label: t('Hand over…'), run }] : []);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconArrowsExchange size={15} aria-hidden />}
        disabled={off !== undefined}
        title={off}
        onClick={run}
      >
        {t('Hand over…')}
      </Button>
      {dialog}
    </>
  );
}

const idle = { isPending: false, isFetching: false, error: null, dataUpdatedAt: 0, refetch: () => undefined };
const masterId = (master: ClusterMaster) => master.id;

function Masters({ cluster }: { cluster: Cluster }) {
  const { why, ask, dialog } = useHandOver();
  const columns = useMemo(() => masterColumns(cluster, why, ask), [cluster, why]);
  return (
    <Stack component="section" gap={6} miw={0}>
      <h2 className={css['title']}>{t('Masters')}</h2>
      <DataTable
        label={t('Masters')}
        what={t('Could not load the cluster')}
        storageKey="masters"
        columns={columns}
        rows={cluster.masters}
        rowId={masterId}
        query={idle}
        rowTone={({ role }) => (role === 'diverged' ? 'danger' : undefined)}
        empty={<EmptyState title={t('No masters')} />}
      />
      {dialog}
    </Stack>
  );
}

function Failovers({ cluster: { failovers } }: { cluster: Cluster }) {
  return (
    <Stack component="section" gap={6} miw={0}>
      <h2 className={css['title']}>{t('Failovers')}</h2>
      <DataTable
        label={t('Failovers')}
        what={t('Could not load the cluster')}
        storageKey="failovers"
        columns={FAILOVER_COLUMNS}
        rows={failovers}
        rowId={({ epoch }) => String(epoch)}
        query={idle}
        maxHeight={360}
        empty={<EmptyState title={t('No failovers yet')} />}
      />
    </Stack>
  );
}
