import { Fault } from '../../lib/fault.ts';

const WHAT = {
  projects: { are: 'projects', first: 'delete one' },
  customRoles: { are: 'custom roles', first: 'delete one' },
  grantsPerPerson: {
    are: 'grants of one person or group',
    first: 'take one back, or give one in all projects or by a group,',
  },
} as const;

/** That a limit is reached, with what to do. */
export const tooMany = (limit: keyof typeof WHAT, there: number, most: number): Fault =>
  new Fault(
    'VALIDATION_FAILED',
    `the maximum of ${most} ${WHAT[limit].are} is reached (limit ${limit}; there are ${there}): ${WHAT[limit].first} first, or raise the limit`,
  );
