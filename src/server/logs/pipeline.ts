import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { recordsOfLine, unparsed, type StoredRecord } from './record.ts';

export interface PipelineOptions {
  host: string;
  lineBytes: number;
  /** Takes records; false: stop reading until `resume`. */
  accept(records: StoredRecord[], bytes: number): boolean;
  now(): number;
}

export interface Pipeline {
  listen(port: number): Promise<number>;
  /** Reads on after `accept` said false. */
  resume(): void;
  close(): Promise<void>;
}

const CONNECTIONS = 1000;
const NEWLINE = 10;

/** Takes JSON lines over TCP from any number of senders. There is no acknowledgement; a full store slows the senders. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const sockets = new Set<Socket>();
  let paused = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    if (paused) socket.pause();
    const sender = `tcp:${socket.remoteAddress ?? 'unknown'}`;
    const lines = createLines(options, sender, (records, bytes) => {
      if (options.accept(records, bytes)) return;
      paused = true;
      for (const one of sockets) one.pause();
    });
    socket.on('data', lines.take);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      lines.end();
    });
  });
  server.maxConnections = CONNECTIONS;
  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, options.host, () => {
          server.off('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    resume() {
      if (!paused) return;
      paused = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroySoon();
      await closed;
    },
  };
}

/** Cuts a stream of bytes into lines. One longer than the limit is kept to the limit with a tag, and its rest is skipped. */
function createLines(options: PipelineOptions, sender: string, give: (records: StoredRecord[], bytes: number) => void) {
  let parts: Buffer[] = [];
  let length = 0;
  let skipping = false;

  function finish(records: StoredRecord[]): void {
    if (length > 0 && !skipping) for (const record of recordsOfLine(Buffer.concat(parts, length).toString(), sender, options.now())) records.push(record);
    parts = [];
    length = 0;
    skipping = false;
  }
  function keep(piece: Buffer, records: StoredRecord[]): void {
    if (skipping) return;
    if (length + piece.length <= options.lineBytes) {
      parts.push(piece);
      length += piece.length;
      return;
    }
    const cut = Buffer.concat([...parts, piece.subarray(0, options.lineBytes - length)]);
    records.push(unparsed(new TextDecoder().decode(cut, { stream: true }), sender, options.now(), '_linetoolong'));
    parts = [];
    length = 0;
    skipping = true;
  }
  return {
    take(chunk: Buffer) {
      const records: StoredRecord[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at), records);
        finish(records);
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from), records);
      if (records.length > 0) give(records, chunk.length);
    },
    end() {
      const records: StoredRecord[] = [];
      finish(records);
      if (records.length > 0) give(records, length);
    },
  };
}
