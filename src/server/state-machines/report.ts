import type { Report, WorkerFrame } from '../../contract/worker-protocol.ts';
import type { JsonTexts } from '../../lib/packed-inputs.ts';

/** What a worker reports, as the master holds it: a long list came as texts from the thread that read its frame. */
export type TaskReport = Report<unknown[] | JsonTexts>;
export type TakenFrame = WorkerFrame<unknown[] | JsonTexts>;
