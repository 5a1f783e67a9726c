import type { Worker } from '../../../contract/api.ts';
import { WorkerStateBadge } from '../../ui/Badges.tsx';
import { formatBytes } from '../../ui/Duration.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { IdLabel } from '../../ui/HashLabel.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import { UseBar } from '../../ui/UseBar.tsx';
import { DrainButton } from './DrainButton.tsx';

export const WORKER_COLUMNS: readonly DataColumn<Worker>[] = [
  { id: 'id', header: 'Worker', width: 122, sortKey: 'id', cell: (worker) => <IdLabel id={worker.id} kind="worker id" tail={8} /> },
  { id: 'state', header: 'State', width: 200, sortKey: 'state', cell: (worker) => <WorkerStateBadge state={worker.state} drained={worker.drained} /> },
  { id: 'tasks', header: 'Tasks', width: 100, grow: true, sortKey: 'currentTasks', cell: (worker) => <UseBar label="Slots taken" used={worker.currentTasks} of={worker.maxTasks} /> },
  { id: 'url', header: 'URL', width: 124, grow: true, cell: (worker) => <span className="clip" title={worker.url}>{worker.url || '–'}</span> },
  { id: 'heartbeat', header: 'Heartbeat', width: 98, sortKey: 'lastHeartbeatAt', cell: (worker) => <TimeAgo at={worker.lastHeartbeatAt} absent="never" /> },
  { id: 'handlers', header: 'Handlers', width: 120, cell: (worker) => <Words words={worker.handlers} /> },
  { id: 'labels', header: 'Labels', width: 130, cell: (worker) => <Words words={labelWords(worker)} /> },
  { id: 'drain', header: 'Action', width: 108, cell: (worker) => <DrainButton worker={worker} /> },
  { id: 'load', header: 'CPU, memory', width: 112, cell: (worker) => <Load worker={worker} /> },
  { id: 'version', header: 'Version', width: 84, cell: (worker) => <span className="mono">{worker.version}</span> },
  { id: 'registered', header: 'Registered', width: 104, sortKey: 'registeredAt', cell: (worker) => <TimeAgo at={worker.registeredAt} /> },
  { id: 'created', header: 'Created', width: 90, sortKey: 'createdAt', cell: (worker) => <TimeAgo at={worker.createdAt} /> },
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
