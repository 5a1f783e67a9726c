/** For tests: Loki's push as its clients write it. */
export interface PushStream {
  labels: string;
  entries: { seconds: number; nanos: number; line: string; metadata?: [string, string][] }[];
}

export function varint(value: number): Buffer {
  const out: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return Buffer.from([...out, value]);
}
const bytes = (number: number, data: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(data.length), data]);
const text = (number: number, value: string): Buffer => bytes(number, Buffer.from(value));
const count = (number: number, value: number): Buffer => Buffer.concat([varint(number * 8), varint(value)]);

/** `logproto.PushRequest`. */
export const pushOf = (streams: readonly PushStream[]): Buffer =>
  Buffer.concat(
    streams.map(({ labels, entries }) =>
      bytes(
        1,
        Buffer.concat([
          text(1, labels),
          ...entries.map(({ seconds, nanos, line, metadata = [] }) =>
            bytes(
              2,
              Buffer.concat([
                bytes(1, Buffer.concat([count(1, seconds), count(2, nanos)])),
                text(2, line),
                ...metadata.map(([name, value]) => bytes(3, Buffer.concat([text(1, name), text(2, value)]))),
              ]),
            ),
          ),
          count(3, 7),
        ]),
      ),
    ),
  );

/** Snappy without a copy: one literal after another. */
export function packed(data: Buffer): Buffer {
  const parts: Buffer[] = [varint(data.length)];
  for (let at = 0; at < data.length; at += 65_536) {
    const part = data.subarray(at, at + 65_536);
    parts.push(Buffer.from([61 << 2, (part.length - 1) & 255, (part.length - 1) >> 8]), part);
  }
  return Buffer.concat(parts);
}
