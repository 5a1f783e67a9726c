import type { Cluster, ClusterMaster } from '../../contract/cluster.ts';
import { Fault } from '../../lib/fault.ts';
import type { JournalDatabase } from './journal/port.ts';
import type { ClusterView } from './port.ts';
import type { Projection } from './projection/projection.ts';
import { noProjection } from './no-projection.ts';

/** A master that was not heard of for so long cannot be handed the state. */
const SEEN_MS = 5000;

/** The cluster as its owner tells of it. */
export function clusterView(given: {
  readonly database: Pick<JournalDatabase, 'view'>;
  /** Who else may change what is kept. */
  warnings?(): Promise<readonly string[]>;
  /** The tables for SQL. */
  readonly projection?: Projection | null;
  readonly me: string;
  /** The last turn that the journal has. */
  appended(): number;
  /** Mean of the last appends in milliseconds; null: none yet. */
  appendMs(): number | null;
  handOver(to: string): void;
}): ClusterView {
  const { database, me } = given;

  async function get(): Promise<Cluster> {
    const [{ now: _, ...view }, projection, warnings = []] = await Promise.all([
      database.view(),
      given.projection?.status() ?? null,
      given.warnings?.(),
    ]);
    return {
      ...view,
      ...(projection && { projection }),
      ...(warnings.length > 0 && { warnings: [...warnings] }),
      mode: 'cluster',
      journal: view.journal && { ...view.journal, appendMs: given.appendMs() },
    };
  }

  return {
    id: me,
    appended: given.appended,
    get,
    async chooseStandby(to) {
      const { masters, now } = await database.view();
      const others = masters.filter(({ id }) => id !== me);
      const able = others.filter((one) => isAble(one, now));
      if (to !== null) {
        const named = others.find(({ id }) => id === to);
        if (named === undefined)
          throw new Fault(
            'NO_STANDBY',
            `no other master of this cluster has the ID ${to}: \`yardmaster cluster\` lists them`,
          );
        if (!able.includes(named))
          throw new Fault(
            'NO_STANDBY',
            `the master ${to} cannot take over: it is ${named.role}, last seen ${named.lastSeenAt}`,
          );
        return to;
      }
      const best = able.toSorted((a, b) => b.seq - a.seq || a.lagMs - b.lagMs)[0];
      if (best === undefined)
        throw new Fault(
          'NO_STANDBY',
          'no standby is online: start another master with the same --store to hand over to',
        );
      return best.id;
    },
    handOver: given.handOver,
    async rebuildProjection() {
      if (!given.projection) throw noProjection();
      await given.projection.rebuild();
    },
    async dropProjection() {
      if (!given.projection) throw noProjection();
      await given.projection.drop();
    },
  };
}

/** Both times are of the database's clock. */
const isAble = ({ role, lastSeenAt }: ClusterMaster, now: string): boolean =>
  role === 'standby' && Date.parse(now) - Date.parse(lastSeenAt) < SEEN_MS;
