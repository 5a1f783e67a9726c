import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { unpacked } from '../../../lib/snappy.fixture.ts';

/** What a receiver of remote write took: samples by series, as `name{label="value"}`. */
export interface Receiver {
  readonly url: string;
  /** Answers with this status instead; 0: it takes everything. */
  refuse: { status: number; text: string };
  readonly requests: {
    readonly headers: Record<string, unknown>;
    readonly samples: Map<string, number>;
    readonly times: Set<number>;
  }[];
  /** The last value of each series. */
  latest(): Record<string, number>;
}

export async function receiver(): Promise<Receiver> {
  const requests: Receiver['requests'] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (made.refuse.status > 0) return void response.writeHead(made.refuse.status).end(made.refuse.text);
      const { samples, times } = readRequest(unpacked(Buffer.concat(pieces)));
      requests.push({ headers: request.headers, samples, times });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const made: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/write`,
    refuse: { status: 0, text: '' },
    requests,
    latest: () => Object.fromEntries(requests.flatMap(({ samples }) => [...samples])),
  };
  return made;
}

function readRequest(message: Buffer): { samples: Map<string, number>; times: Set<number> } {
  const samples = new Map<string, number>();
  const times = new Set<number>();
  for (const series of fields(message)) {
    const labels: [string, string][] = [];
    let value = Number.NaN;
    for (const part of fields(series.bytes)) {
      const inner = fields(part.bytes);
      if (part.number === 1) labels.push([String(inner[0]?.bytes), String(inner[1]?.bytes)]);
      else {
        value = inner.find(({ number }) => number === 1)?.bytes.readDoubleLE(0) ?? Number.NaN;
        times.add(inner.find(({ number }) => number === 2)?.value ?? 0);
      }
    }
    const names = labels.map(([name]) => name);
    if ([...names].sort().join() !== names.join()) throw new Error(`labels are not sorted: ${names.join()}`);
    const name = labels.find(([label]) => label === '__name__')?.[1] ?? '';
    const rest = labels.filter(([label]) => label !== '__name__').map(([label, text]) => `${label}="${text}"`);
    samples.set(rest.length === 0 ? name : `${name}{${rest.join(',')}}`, value);
  }
  return { samples, times };
}

function fields(message: Buffer): { number: number; bytes: Buffer; value: number }[] {
  const found: { number: number; bytes: Buffer; value: number }[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const kind = tag % 8;
    const value = kind === 0 ? varint() : 0;
    const length = kind === 2 ? varint() : kind === 1 ? 8 : 0;
    found.push({ number: Math.floor(tag / 8), bytes: message.subarray(at, at + length), value });
    at += length;
  }
  return found;
}
