import type { Pipelines } from '../logs/pipeline/port.ts';

export function fakePipelines(): Pick<Pipelines, 'stats' | 'deadLetters'> {
  return {
    stats: () => ({
      accepted: 0,
      delivered: 0,
      retried: 0,
      dead: 0,
      deadDropped: 0,
      dropped: 0,
      truncated: 0,
      unparsed: 0,
      foreign: 0,
      unauthorized: 0,
      crowded: 0,
      forged: 0,
      skipped: 0,
      pauses: 0,
      paused: false,
      queueBytes: 0,
      queueLines: 0,
      lagMs: 0,
      connections: 0,
      failing: null,
      refusing: null,
    }),
    deadLetters: {
      list: async ({ page, size }) => ({ items: [], page, size, totalItems: 0, totalPages: 0 }),
      replay: async () => ({ replayed: 0 }),
      discard: async () => ({ discarded: 0 }),
    },
  };
}
