import type { Worker } from '../../../../contract/workers.ts';
import { t } from '../../../../lib/language.ts';
import { EnvironmentBadges, WorkerStateBadge } from '../../../ui/Badges.tsx';
import { formatBytes } from '../../../ui/Duration.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { rich } from '../../../ui/rich.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { UsageBar } from '../../../ui/UsageBar.tsx';
import { formatShare } from '../../../ui/number-text.ts';
import { ThroughputCell } from './ThroughputCell.tsx';
import { ForgetButton } from './ForgetButton.tsx';
import { exitText } from '../worker-end.ts';
import { DrainButton } from './DrainButton.tsx';
import css from './Workers.module.css';

/** Two lines a row: all of it is in sight at 1280 pixels. */
export const WORKER_COLUMNS: readonly DataColumn<Worker>[] = [
  {
    id: 'id',
    header: t('Worker'),
    width: 136,
    grow: 380,
    fits: true,
    sortKey: 'id',
    cell: (worker) => (
      <span className="two-rows">
        <IdLabel id={worker.id} kind={t('worker ID')} tail={8} />
        {worker.url !== '' && (
          <span className="clip dim" title={worker.url}>
            {worker.url.replace(/^https?:\/\//, '')}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'state',
    header: t('State'),
    width: 142,
    fits: true,
    sortKey: 'state',
    cell: (worker) => (
      <span className="two-rows">
        <WorkerStateBadge state={worker.state} ended={worker.ended?.reason} />
        {worker.state === 'Down' ? (
          <HowEnded worker={worker} />
        ) : (
          worker.drained && <span className="dim">{t('draining')}</span>
        )}
      </span>
    ),
  },
  {
    id: 'tasks',
    header: t('Tasks'),
    width: 92,
    grow: 140,
    fits: true,
    sortKey: 'currentTasks',
    cell: (worker) =>
      worker.state === 'Down' ? (
        <span className="dim">–</span>
      ) : (
        <UsageBar label={t('Slots in use')} used={worker.currentTasks} of={worker.maxTasks} />
      ),
  },
  {
    id: 'throughput',
    header: t('Tasks/min'),
    width: 80,
    fits: true,
    cell: (worker) => <ThroughputCell workerId={worker.id} />,
  },
  { id: 'load', header: t('CPU, memory'), width: 100, fits: true, cell: (worker) => <Load worker={worker} /> },
  {
    id: 'heartbeat',
    header: t('Heartbeat'),
    width: 90,
    fits: true,
    sortKey: 'lastHeartbeatAt',
    cell: (worker) => <TimeAgo at={worker.lastHeartbeatAt} absent={t('never')} />,
  },
  {
    id: 'handlers',
    header: t('Handlers'),
    width: 90,
    grow: 160,
    blank: (worker) => worker.handlers.length === 0,
    cell: (worker) => <Words words={worker.handlers} />,
  },
  {
    id: 'labels',
    header: t('Labels'),
    width: 96,
    grow: 220,
    blank: (worker) => labelWords(worker).length === 0,
    cell: (worker) => <Words words={labelWords(worker)} />,
  },
  {
    id: 'environments',
    header: t('Environments'),
    width: 158,
    fits: true,
    blank: ({ environments }) => environments === null,
    cell: ({ environments }) =>
      environments === null ? <span className="dim">{t('all')}</span> : <EnvironmentBadges of={environments} />,
  },
  {
    id: 'version',
    header: t('Version'),
    width: 70,
    fits: ({ version }) => version.length <= 8,
    cell: (worker) => <span className="mono">{worker.version}</span>,
  },
  {
    id: 'registered',
    header: t('Registered'),
    width: 98,
    sortKey: 'registeredAt',
    cell: (worker) => (
      <span className="two-rows">
        <TimeAgo at={worker.registeredAt} />
        {/* One that has come back was made before. */}
        {worker.createdAt !== worker.registeredAt && (
          <span className="clip dim">{rich('created {time}', { time: <TimeAgo at={worker.createdAt} /> })}</span>
        )}
      </span>
    ),
  },
  {
    id: 'drain',
    header: t('Action'),
    width: 112,
    fits: true,
    pin: 'end',
    // What is under way is known by the worker's ID, not by its button.
    stateless: true,
    cell: (worker) => (worker.state === 'Down' ? <ForgetButton worker={worker} /> : <DrainButton worker={worker} />),
  },
];

/** In a line below the badge: what ended it, and when; or what took its place. */
function HowEnded({ worker: { ended, replacedBy } }: { worker: Worker }) {
  if (replacedBy) return <span className="clip dim">{t('replaced by …{id}', { id: replacedBy.slice(-8) })}</span>;
  if (!ended) return null;
  const exit = exitText(ended);
  return (
    <span className="clip dim" title={ended.message ?? undefined}>
      {exit !== null && `${exit}, `}
      <TimeAgo at={ended.at} />
    </span>
  );
}

export const labelWords = ({ labels }: Pick<Worker, 'labels'>): string[] =>
  Object.entries(labels).map(([name, value]) => `${name}=${value}`);

function Words({ words }: { words: readonly string[] }) {
  if (words.length === 0) return <span className="dim">–</span>;
  return (
    <span className={`mono ${css['words']}`} data-hint={words.join(', ')}>
      {words.join(', ')}
    </span>
  );
}

function Load({ worker: { cpuUsage, memoryUsage } }: { worker: Worker }) {
  if (cpuUsage === null && memoryUsage === null) return <span className="dim">–</span>;
  return (
    <span className="two-rows numbers">
      <span>{cpuUsage === null ? '–' : formatShare(cpuUsage)}</span>
      <span>{memoryUsage === null ? '–' : formatBytes(memoryUsage)}</span>
    </span>
  );
}
