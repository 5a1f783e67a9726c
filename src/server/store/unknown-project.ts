import { Fault } from '../../lib/fault.ts';
import type { ReadHandle } from './port.ts';

/** A project may be deleted until the very transaction that puts something into it; null: it is there. */
export const unknownProject = (db: ReadHandle, id: string): Fault | null =>
  db.query('SELECT 1 FROM project WHERE id = ?').get(id) === undefined
    ? new Fault('PROJECT_NOT_FOUND', `project ${id.slice(0, 100)} not found`)
    : null;
