import type { Worker } from '../../../contract/api.ts';
import { t } from '../../../lib/language.ts';
import { WorkerStateBadge } from '../../ui/Badges.tsx';
import { formatBytes } from '../../ui/Duration.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { IdLabel } from '../../ui/HashLabel.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import { UseBar } from '../../ui/UseBar.tsx';
import { DrainButton } from './DrainButton.tsx';

/** What an operator looks at first comes first: at 1280 pixels what is behind the labels has to be scrolled to. */
export const WORKER_COLUMNS: readonly DataColumn<Worker>[] = [
  { id: 'id', header: t('Worker'), width: 122, sortKey: 'id', cell: (worker) => <IdLabel id={worker.id} kind={t('worker id')} tail={8} /> },
  { id: 'state', header: t('State'), width: 184, sortKey: 'state', cell: (worker) => <WorkerStateBadge state={worker.state} drained={worker.drained} /> },
  { id: 'tasks', header: t('Tasks'), width: 100, grow: true, sortKey: 'currentTasks', cell: (worker) => <UseBar label={t('Slots taken')} used={worker.currentTasks} of={worker.maxTasks} /> },
  { id: 'load', header: t('CPU, memory'), width: 112, cell: (worker) => <Load worker={worker} /> },
  { id: 'heartbeat', header: t('Heartbeat'), width: 98, sortKey: 'lastHeartbeatAt', cell: (worker) => <TimeAgo at={worker.lastHeartbeatAt} absent={t('never')} /> },
  { id: 'handlers', header: t('Handlers'), width: 100, cell: (worker) => <Words words={worker.handlers} /> },
  { id: 'labels', header: t('Labels'), width: 108, cell: (worker) => <Words words={labelWords(worker)} /> },
  { id: 'url', header: t('URL'), width: 176, grow: true, cell: (worker) => <span className="clip" title={worker.url}>{worker.url || '–'}</span> },
  { id: 'version', header: t('Version'), width: 84, cell: (worker) => <span className="mono">{worker.version}</span> },
  { id: 'registered', header: t('Registered'), width: 104, sortKey: 'registeredAt', cell: (worker) => <TimeAgo at={worker.registeredAt} /> },
  { id: 'created', header: t('Created'), width: 90, sortKey: 'createdAt', cell: (worker) => <TimeAgo at={worker.createdAt} /> },
  { id: 'drain', header: t('Action'), width: 108, pin: 'end', cell: (worker) => <DrainButton worker={worker} /> },
];

export const labelWords = ({ labels }: Pick<Worker, 'labels'>): string[] => Object.entries(labels).map(([name, value]) => `${name}=${value}`);

function Words({ words }: { words: readonly string[] }) {
  if (words.length === 0) return <span className="dim">–</span>;
  return (
    <span className="clip mono" data-hint={words.join(', ')}>
      {words.join(', ')}
    </span>
  );
}

function Load({ worker: { cpuUsage, memoryUsage } }: { worker: Worker }) {
  if (cpuUsage === null && memoryUsage === null) return <span className="dim">–</span>;
  return (
    <span className="numbers">
      {cpuUsage === null ? '–' : `${Math.round(cpuUsage * 100)} %`}, {memoryUsage === null ? '–' : formatBytes(memoryUsage)}
    </span>
  );
}
