/** The request of Prometheus remote write as protocol buffers: series with sorted labels, a sample each. */

export interface Series {
  /** The name of the series among them; sorted by name. */
  readonly labels: readonly (readonly [name: string, value: string])[];
}

/** A series is the same bytes in each request but for its sample. */
export type EncodedSeries = Buffer;

/** Each label (1: name, 2: value) is field 1 of its series. */
export function encodeSeries({ labels }: Series): EncodedSeries {
  return Buffer.concat(
    labels.map(([name, value]) => field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(value))]))),
  );
}

/** Field 1 of the request is a series (1: labels, 2: a sample of 1: its value and 2: Unix ms). */
export function writeRequest(
  samples: readonly { readonly series: EncodedSeries; readonly value: number }[],
  time: number,
): Buffer {
  const stamp = varint(time);
  const pieces: Buffer[] = [];
  for (const { series, value } of samples) {
    const sample = Buffer.allocUnsafe(10 + stamp.length);
    // Field 1, 64 bits.
    sample[0] = 0x09;
    sample.writeDoubleLE(value, 1);
    // Field 2, varint.
    sample[9] = 0x10;
    stamp.copy(sample, 10);
    const head = header(2, sample.length);
    pieces.push(header(1, series.length + head.length + sample.length), series, head, sample);
  }
  return Buffer.concat(pieces);
}

/** A field that has a length. */
const header = (number: number, length: number): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2]), varint(length)]);
const field = (number: number, bytes: Buffer): Buffer => Buffer.concat([header(number, bytes.length), bytes]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  // Times have more bits than bitwise operators take.
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}
