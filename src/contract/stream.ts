import type { Job, Publication, Task, Worker } from './api.ts';
import type { AlertEvent } from './api-alerts.ts';
import type { Operation } from './api-engine.ts';

/** What the live stream carries (contract §11): the summary of an entity that changed. */
export type StreamEvent =
  | { event: 'job'; data: Job }
  | { event: 'task'; data: Omit<Task, 'input' | 'output' | 'history' | 'retryEntries'> }
  | { event: 'worker'; data: Worker }
  | { event: 'publication'; data: Publication & { workflowId: string } }
  | { event: 'operation'; data: Operation & { id: string } }
  | { event: 'alert'; data: AlertEvent }
  | { event: 'reset'; data: Record<string, never> };
