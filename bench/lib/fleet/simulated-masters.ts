import { VERSION } from '../../../src/contract/version.ts';
import { every } from '../../../src/lib/clock.ts';
import { uuidv7 } from '../../../src/lib/uuid.ts';
import { dialPostgres } from '../../../src/server/cluster/postgres/dial-postgres.ts';
import { openJournalDatabase } from '../../../src/server/cluster/postgres/journal-database.ts';
import { configOf } from '../../../src/server/cluster/postgres/store-url.ts';
import { systemTime } from '../../../src/server/cluster/time.ts';

/** As masters do it. */
const REPORT_MS = 500;

/**
 * Standbys that report to PostgreSQL as real ones do, by the same statement at the same pace, and follow the position of the journal. They
 * answer no requests, and do not take over.
 *
 * @param urls one for each
 */
export function startSimulatedMasters(store: string, urls: readonly string[]): { stop(): Promise<void> } {
  const database = openJournalDatabase(dialPostgres(configOf(store)), systemTime(), 0);
  const startedAt = Date.now();
  const masters = urls.map((url, i) => ({ id: uuidv7(), url, startedAt: startedAt + i }));
  const stopReports = every(
    REPORT_MS,
    async () => {
      const { partitions } = await database.view();
      const seq = partitions.find(({ id }) => id === 0)?.seq ?? 0;
      await Promise.all(
        masters.map((one, i) =>
          database.report({
            ...one,
            role: 'standby',
            version: VERSION,
            seq: Math.max(0, seq - (i % 3)),
            lagMs: (i % 3) * 4,
          }),
        ),
      );
    },
    (error) => process.stderr.write(`simulated masters: ${String(error)}\n`),
  );
  return {
    async stop() {
      await stopReports();
      await Promise.all(masters.map(({ id }) => database.leave(id)));
      await database.close();
    },
  };
}
