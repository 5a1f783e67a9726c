import { Client, type ClientConfig } from 'pg';
import type { Dial } from './connection.ts';

const CONNECT_MS = 3000;

/** Connects to a real server by the driver. */
export function dialPostgres(config: ClientConfig): Dial {
  return async (onEnd) => {
    const client = new Client({ ...config, connectionTimeoutMillis: CONNECT_MS, keepAlive: true });
    const ended = (): void => {
      onEnd();
      end(client);
    };
    client.on('error', ended);
    client.on('end', ended);
    try {
      await client.connect();
    } catch (error) {
      end(client);
      throw error;
    }
    return { query: (text, values) => client.query<object>(text, values), end: () => end(client) };
  };
}

function end(client: Client): void {
  client.removeAllListeners();
  client.on('error', () => {});
  client.end().catch(() => {});
  (client as unknown as { connection?: { stream?: { destroy?(): void } } }).connection?.stream?.destroy?.();
}
