import type { MasterRole } from '../../../contract/cluster.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import {
  CREATE_PROJECTION,
  CREATE_READER,
  DELETES,
  GRANT_READER,
  PROJECTION_MIGRATIONS,
  PROJECTION_SCHEMA,
  READER_ROLE,
  TRUNCATE_TABLES,
  UPSERTS,
} from './schema.ts';
import { noProjection } from '../no-projection.ts';
import type { ProjectedRows } from './tables.ts';
import type { Query, Transactions } from './transactions.ts';

/** How the projection stands, as PostgreSQL has it. */
export interface ProjectionState {
  /** Every turn up to this one is in the tables; 0: not everything is there yet. */
  readonly turn: number;
  /** The writing of everything that was last begun. */
  readonly build: string;
  readonly extras: string;
  /** Somebody asked for it to be written anew. */
  readonly wanted: boolean;
}

/** The right to write it, which one master has at a time: no other's transaction goes through under another generation. */
export interface ProjectionClaim {
  readonly holder: string;
  readonly generation: number;
}

/** What the cluster's view tells. */
export interface ProjectionStatus extends ProjectionState {
  readonly holder: string | null;
  readonly lagMs: number;
  readonly writtenAt: string | null;
  readonly trouble: string | null;
}

/** A master that has not said anything for so long writes no more. */
export const CLAIM_MS = 10_000;
/** The owner has enough to do: it leaves the work to a standby that wants it, after so long. */
export const OWNER_MS = 60_000;

const STATE = `${PROJECTION_SCHEMA}.projection`;

interface StateRow {
  turn: string;
  build: string;
  extras: string;
  wanted: boolean;
}
const stateOf = ({ turn, build, extras, wanted }: StateRow): ProjectionState => ({
  turn: Number(turn),
  build,
  extras,
  wanted,
});

/** The projection's tables in PostgreSQL (schema.ts). */
export interface ProjectionTables {
  /** Makes the tables where they are missing or older. Throws SCHEMA_UNKNOWN, POSTGRES_REFUSED. */
  prepare(): Promise<void>;
  /** Null: another master writes. */
  claim(holder: string, role: MasterRole): Promise<ProjectionClaim | null>;
  /** Goes on; null: another master writes, or the tables were dropped. */
  renew(claim: ProjectionClaim, role: MasterRole, trouble: string | null): Promise<ProjectionState | null>;
  /** Empties the tables, to be written anew. */
  begin(claim: ProjectionClaim, build: string, extras: string): Promise<void>;
  write(claim: ProjectionClaim, tables: readonly ProjectedRows[], turn: number): Promise<void>;
  release(claim: ProjectionClaim): Promise<void>;
  /** Null: there are no tables. */
  status(): Promise<ProjectionStatus | null>;
  /** Asks whoever writes to write everything anew. Throws NO_PROJECTION. */
  rebuild(): Promise<void>;
  /** Throws NO_PROJECTION, PROJECTION_IN_USE. */
  drop(): Promise<void>;
}

export function projectionTables(transactions: Transactions, log: (line: string) => void): ProjectionTables {
  const exists = async (query: Query): Promise<boolean> =>
    (await query<{ there: boolean }>(`SELECT to_regclass('${STATE}') IS NOT NULL AS there`))[0]?.there === true;

  async function needed(query: Query): Promise<void> {
    if (!(await exists(query))) throw noProjection();
  }

  /** Holds the row until the end of the transaction: nobody else begins to write meanwhile. */
  async function fenced<T>({ holder, generation }: ProjectionClaim, work: (query: Query) => Promise<T>): Promise<T> {
    return transactions.run(async (query) => {
      const held = await query(`SELECT 1 FROM ${STATE} WHERE holder = $1 AND generation = $2 FOR UPDATE`, [
        holder,
        generation,
      ]);
      if (held.length === 0) throw new Error('another master writes the projection now');
      return work(query);
    });
  }

  async function grantReader(): Promise<void> {
    try {
      await transactions.run((query) => query(CREATE_READER));
      await transactions.run((query) => query(GRANT_READER));
    } catch (error) {
      log(
        `projection: no role ${READER_ROLE} (${errorMessage(error)}); to have one, run as an administrator: CREATE ROLE ${READER_ROLE} NOLOGIN; it gets its rights when a master next begins to write`,
      );
    }
  }

  return {
    async prepare() {
      const before = await transactions.run(async (query) =>
        (await exists(query)) ? (await query<{ format: number }>(`SELECT format FROM ${STATE}`))[0]?.format : undefined,
      );
      if ((before ?? 0) > PROJECTION_MIGRATIONS.length)
        throw new Fault(
          'SCHEMA_UNKNOWN',
          `the projection has tables of format ${before}, this Yardmaster knows ${PROJECTION_MIGRATIONS.length}: upgrade this master`,
        );
      if (before === PROJECTION_MIGRATIONS.length) return;
      try {
        await transactions.run(async (query) => {
          // Two masters that begin together would both create the tables.
          await query('SELECT pg_advisory_xact_lock(2037214064)');
          if (!(await exists(query))) await query(CREATE_PROJECTION);
          const [row] = await query<{ format: number }>(`SELECT format FROM ${STATE} FOR UPDATE`);
          for (const { sql } of PROJECTION_MIGRATIONS.slice(row?.format ?? 0)) await query(sql);
          await query(`UPDATE ${STATE} SET format = $1, turn = 0, build = ''`, [PROJECTION_MIGRATIONS.length]);
        });
      } catch (error) {
        if (errorCode(error) !== '42501') throw error;
        throw new Fault(
          'POSTGRES_REFUSED',
          `the user may not create the schema ${PROJECTION_SCHEMA} (${errorMessage(error)}). Run as an administrator: CREATE SCHEMA ${PROJECTION_SCHEMA} AUTHORIZATION the user of --store`,
          { cause: error },
        );
      }
    },
    async claim(holder, role) {
      const rows = await transactions.run((query) =>
        query<{ generation: string }>(
          `UPDATE ${STATE} SET holder = $1, holder_role = $2, generation = generation + 1, held_at = clock_timestamp(), seen_at = clock_timestamp(), trouble = NULL
           WHERE holder IS NULL OR holder = $1 OR seen_at < clock_timestamp() - $3 * interval '1 millisecond'
             OR ($2 = 'standby' AND holder_role = 'owner' AND held_at < clock_timestamp() - $4 * interval '1 millisecond')
           RETURNING generation`,
          [holder, role, CLAIM_MS, OWNER_MS],
        ),
      );
      const [row] = rows;
      if (!row) return null;
      await grantReader();
      return { holder, generation: Number(row.generation) };
    },
    async renew({ holder, generation }, role, trouble) {
      const rows = await transactions.run(async (query) =>
        (await exists(query))
          ? query<StateRow>(
              `UPDATE ${STATE} SET seen_at = clock_timestamp(), trouble = $4,
                 held_at = CASE WHEN holder_role = $3 THEN held_at ELSE clock_timestamp() END, holder_role = $3
               WHERE holder = $1 AND generation = $2 RETURNING turn, build, extras, wanted`,
              [holder, generation, role, trouble],
            )
          : [],
      );
      return rows[0] ? stateOf(rows[0]) : null;
    },
    begin: (claim, build, extras) =>
      fenced(claim, async (query) => {
        await query(TRUNCATE_TABLES);
        await query(`UPDATE ${STATE} SET turn = 0, build = $1, extras = $2, wanted = false, written_at = NULL`, [
          build,
          extras,
        ]);
      }),
    write: (claim, tables, turn) =>
      fenced(claim, async (query) => {
        for (const { table, rows, gone } of tables) {
          if (gone !== '[]') await query(DELETES.get(table) ?? '', [gone]);
          if (rows !== '[]') await query(UPSERTS.get(table) ?? '', [rows]);
        }
        await query(
          `UPDATE ${STATE} SET turn = greatest(turn, $1), written_at = clock_timestamp(), seen_at = clock_timestamp()`,
          [turn],
        );
      }),
    async release({ holder, generation }) {
      await transactions.run((query) =>
        query(`UPDATE ${STATE} SET holder = NULL WHERE holder = $1 AND generation = $2`, [holder, generation]),
      );
    },
    status: () =>
      transactions.run(async (query) => {
        if (!(await exists(query))) return null;
        const [row] = await query<
          StateRow & { holder: string | null; lag: number | null; at: string | null; trouble: string | null }
        >(
          `SELECT turn, build, extras, wanted, trouble,
             CASE WHEN seen_at > clock_timestamp() - $1 * interval '1 millisecond' THEN holder END AS holder,
             to_char(written_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
             (SELECT extract(epoch FROM clock_timestamp() - e.at)::float8 * 1000 FROM yardmaster.journal_entry e
              WHERE partition = 0 AND last > turn AND first >= coalesce(
                (SELECT max(first) FROM yardmaster.journal_entry WHERE partition = 0 AND first <= turn + 1), 0)
              ORDER BY first LIMIT 1) AS lag
           FROM ${STATE}`,
          [CLAIM_MS],
        );
        if (!row) return null;
        return {
          ...stateOf(row),
          holder: row.holder,
          writtenAt: row.at,
          trouble: row.trouble,
          lagMs: Math.max(0, Math.round(row.lag ?? 0)),
        };
      }),
    rebuild: () =>
      transactions.run(async (query) => {
        await needed(query);
        await query(`UPDATE ${STATE} SET wanted = true`);
      }),
    drop: () =>
      transactions.run(async (query) => {
        await needed(query);
        const [row] = await query<{ holder: string }>(
          `SELECT holder FROM ${STATE} WHERE holder IS NOT NULL AND seen_at > clock_timestamp() - $1 * interval '1 millisecond' FOR UPDATE`,
          [CLAIM_MS],
        );
        if (row)
          throw new Fault(
            'PROJECTION_IN_USE',
            `the master ${row.holder} writes the projection: start the masters without --projection first, then drop it`,
          );
        await query(`DROP SCHEMA ${PROJECTION_SCHEMA} CASCADE`);
      }),
  };
}
