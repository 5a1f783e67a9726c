import type { Worker } from '../../../contract/api.ts';
import { WorkerStateBadge } from '../../ui/Badges.tsx';
import { Bytes } from '../../ui/Duration.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { IdLabel } from '../../ui/HashLabel.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import { UseBar } from '../../ui/UseBar.tsx';
import { DrainButton } from './DrainButton.tsx';

export const WORKER_COLUMNS: readonly DataColumn<Worker>[] = [
  { id: 'id', header: 'Worker', width: 150, sortKey: 'id', cell: (worker) => <IdLabel id={worker.id} kind="worker id" tail={12} /> },
  { id: 'state', header: 'State', width: 172, sortKey: 'state', cell: (worker) => <WorkerStateBadge state={worker.state} drained={worker.drained} /> },
  { id: 'tasks', header: 'Tasks of capacity', width: 160, sortKey: 'currentTasks', cell: (worker) => <UseBar label="Slots taken" used={worker.currentTasks} of={worker.maxTasks} /> },
  { id: 'url', header: 'URL', width: 190, grow: true, cell: (worker) => <span className="clip" title={worker.url}>{worker.url || '–'}</span> },
  { id: 'heartbeat', header: 'Last heartbeat', width: 126, sortKey: 'lastHeartbeatAt', cell: (worker) => <TimeAgo at={worker.lastHeartbeatAt} absent="never" /> },
  { id: 'cpu', header: 'CPU', width: 74, align: 'right', cell: (worker) => <span className="numbers">{worker.cpuUsage === null ? '–' : `${Math.round(worker.cpuUsage * 100)} %`}</span> },
  { id: 'memory', header: 'Memory', width: 94, align: 'right', cell: (worker) => <Bytes value={worker.memoryUsage} /> },
  { id: 'registered', header: 'Registered', width: 118, sortKey: 'registeredAt', cell: (worker) => <TimeAgo at={worker.registeredAt} /> },
  { id: 'created', header: 'Created', width: 118, sortKey: 'createdAt', cell: (worker) => <TimeAgo at={worker.createdAt} /> },
  { id: 'version', header: 'Version', width: 84, cell: (worker) => <span className="mono">{worker.version}</span> },
  { id: 'drain', header: 'Action', width: 104, cell: (worker) => <DrainButton worker={worker} /> },
];
