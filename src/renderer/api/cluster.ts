import { call } from './client.ts';
import { read } from './read.ts';

export const clusterKey = ['cluster'] as const;
/** Who owns the state is no change that the stream brings; it has to be known at once, and by the one who just lost the stream. */
const LOOK_MS = 1000;

/** The masters; read each second while there are several and the page is seen. */
export const clusterQuery = () =>
  read(
    clusterKey,
    'cluster.get',
    {},
    { refetchInterval: ({ state }) => (state.data?.mode === 'cluster' ? LOOK_MS : false) },
  );

export const handOver = (to: string) => call('cluster.handover', { body: { to } });
