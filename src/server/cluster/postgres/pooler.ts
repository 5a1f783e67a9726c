import { Client, type ClientConfig } from 'pg';

/**
 * Whether a pooler such as PgBouncer stands before the server, in any mode: to a client it gives a process number of its own
 * instead of that of the process that answers. False where that is not known, also where nobody answers.
 */
export async function isPooled(config: ClientConfig): Promise<boolean> {
  const client = new Client({ ...config, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // The driver keeps it to cancel queries; its types do not name it.
    const { processID } = client as unknown as { processID?: number | null };
    return typeof processID === 'number' && processID !== rows[0]?.pid;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

export const POOLED =
  'PostgreSQL is behind a pooler: nothing is lost by it, but the pooler keeps the connection of an owner that was killed, so it is replaced only when its lease ends (5 s); connect the masters directly to have it replaced within a second';
