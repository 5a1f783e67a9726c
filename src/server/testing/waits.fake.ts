import { Fault } from '../../lib/fault.ts';
import type { Waits } from '../jobs/port.ts';

/** No task waits; signals to jobs that are there are kept. `known` throws for one that is not. */
export const fakeWaits = (known: (jobId: string) => void): Waits => ({
  list: (query) => ({ items: [], page: query.page, size: query.size, totalItems: 0, totalPages: 0 }),
  signal: async ({ jobId }) => {
    known(jobId);
    return { delivered: false, repeated: false };
  },
  decide: async (id) => {
    throw new Fault('APPROVAL_NOT_FOUND', `approval request ${id} not found`);
  },
  count: () => 0,
  links: {
    make: async (_purpose, _to, expiresAt) => ({
      path: '/respond/fake',
      expiresAt: new Date(expiresAt).toISOString(),
    }),
    open: async () => {
      throw new Fault('LINK_INVALID', 'the link is invalid or has expired');
    },
  },
});
