/** FNV-64a: the offset in halves of 32 bits, and what the prime 2^40 + 0x1b3 multiplies by. */
const OFFSET = [0xcbf29ce4, 0x84222325] as const;
const FACTOR = 0x1b3;
const SEPARATOR = 0xff;

export type Labels = Readonly<Record<string, string>>;

/** Names and values in the order of their names, as one text: two label sets are the same where these are. */
export const sortedLabels = (labels: Labels): [string, string][] =>
  Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

/** 16 hexadecimal digits of FNV-64a over the sorted label set, each name and value ended by a byte that no UTF-8 has, as Prometheus does. */
export function labelFingerprint(labels: Labels): string {
  let [high, low]: [number, number] = [...OFFSET];
  const eat = (byte: number) => {
    const old = (low ^ byte) >>> 0;
    const product = old * FACTOR;
    low = product >>> 0;
    // The products are below 2^53; 2^40 moves the lower half up by eight bits more than a half.
    high = (Math.imul(high, FACTOR) + Math.floor(product / 0x1_0000_0000) + (old << 8)) >>> 0;
  };
  for (const pair of sortedLabels(labels)) {
    for (const text of pair) {
      if (Buffer.byteLength(text) === text.length) for (let i = 0; i < text.length; i++) eat(text.charCodeAt(i));
      else for (const byte of Buffer.from(text)) eat(byte);
      eat(SEPARATOR);
    }
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

/** `{alertname="x", job="y"}`, as people and group keys have it. */
export const labelsText = (labels: Labels): string =>
  `{${sortedLabels(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')}}`;
