import { Type } from 'typebox';
import type { AlertEvent } from './alerts.ts';
import type { Approval } from './approvals.ts';
import type { Job } from './jobs.ts';
import type { Operation } from './operations.ts';
import { get, tagged, Closed, Json } from './shapes.ts';
import type { Task } from './tasks.ts';
import type { Worker } from './workers.ts';
import type { Publication } from './workflows.ts';

/** What the live stream carries: the summary of an entity that changed. */
export type StreamEvent =
  | { event: 'job'; data: Job }
  | { event: 'task'; data: Omit<Task, 'input' | 'output' | 'history' | 'retryEntries'> }
  | { event: 'worker'; data: Worker }
  | { event: 'publication'; data: Publication & { workflowId: string } }
  | { event: 'operation'; data: Operation & { id: string } }
  | { event: 'alert'; data: AlertEvent }
  | { event: 'approval'; data: Approval }
  | { event: 'reset'; data: Record<string, never> };

export const streamRoutes = tagged('Master', {
  'live.stream': get('/api/v1/stream', 'viewer', 'Live changes', {
    query: Closed({
      after: Type.Optional(
        Type.String({
          pattern: '^(now|[0-9]{1,16})$',
          description:
            'For clients that cannot send `Last-Event-ID`, which has precedence; `now`: starts with an event `cursor` whose ID is the current position',
        }),
      ),
    }),
    answers: { 200: Json },
    produces: 'text/event-stream',
  }),
});
