import { vi } from 'vitest';
import type { MasterRole } from '../../../contract/cluster.ts';
import { dialPostgres } from '../postgres/dial-postgres.ts';
import { configOf } from '../postgres/store-url.ts';
import { copyInThread } from '../replica/copy-in-thread.ts';
import { startJournal } from '../testing.fixture.ts';
import { systemTime } from '../time.ts';
import { projectionTables, type ProjectionTables } from './projection-tables.ts';
import { startProjector } from './projector.ts';
import { createTransactions } from './transactions.ts';

/** A test does not wait as long as a master does. */
const quick = { after: (ms: number, run: () => void) => systemTime().after(ms / 50, run) };

/** The journal of an owner, and masters that keep the tables for SQL of it. */
export async function startProjection() {
  const closing: (() => unknown)[] = [];
  const rig = await startJournal();
  const owner = await rig.own('a', rig.file());

  function connect(): ProjectionTables {
    const transactions = createTransactions(dialPostgres(configOf(rig.url)), systemTime());
    closing.push(() => transactions.close());
    return projectionTables(transactions, (line) => void rig.log.push(line));
  }
  const tables = connect();

  return {
    ...{ rig, owner, tables },
    project(id: string, { role = 'standby', reach = connect() }: { role?: MasterRole; reach?: ProjectionTables } = {}) {
      const file = rig.file();
      const projector = startProjector({
        ...{ id, extras: ['messages'], database: rig.connect(), role: () => role, time: quick, tables: reach },
        log: (line) => void rig.log.push(`${id}: ${line}`),
        openCopy: () => copyInThread(file, true),
      });
      closing.push(() => projector.close());
    },
    connect,
    /** Until everything of the journal is in the tables. */
    async settled(): Promise<void> {
      const { last } = await rig.connect().look();
      const isThere = async () => ((await tables.status().catch(() => null))?.turn ?? 0) >= last;
      await vi.waitUntil(isThere, { interval: 20 });
    },
    async close() {
      for (const close of closing.reverse()) await close();
      await rig.close();
    },
  };
}
export type ProjectionRig = Awaited<ReturnType<typeof startProjection>>;
