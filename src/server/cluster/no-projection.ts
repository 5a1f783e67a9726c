import { Fault } from '../../lib/fault.ts';

/** Where nobody writes the tables for SQL, and nobody has. */
export const noProjection = (): Fault =>
  new Fault(
    'NO_PROJECTION',
    'there are no tables for SQL: start masters that share PostgreSQL with --projection to get them',
  );
