import { cryptoOnDemand } from '../../../../lib/crypto-on-demand.ts';
import { valueOf, type Field, type Rows } from '../blocks/rows.ts';

/** Sets `_stream`, `{a="1",b="2"}` of a row's stream fields. Rows mostly have the stream of one before. */
export function createStreams(names: readonly string[]): (rows: Rows) => void {
  const streams = new Map<string, string>();
  let of: Rows | null = null;
  let stream: Field | null = null;
  const fields: (Field | undefined)[] = [];
  /** Codes of the stream fields, joined, by which a code of `_stream` is known. */
  let codes = new Map<number, number>();
  return (rows) => {
    if (of !== rows || stream === null) {
      of = rows;
      stream = rows.field('_stream');
      fields.fill(undefined);
      codes = new Map();
    }
    // Two fields of the usual numbers of values fit into one number.
    let key = 0;
    let fit = names.length <= 3;
    for (let i = 0; i < names.length; i++) {
      const field = (fields[i] ??= rows.fields.get(names[i] as string));
      key = key * 65_536 + (field?.codes[rows.count] ?? 0);
      fit &&= field === undefined || field.count < 65_536;
    }
    const known = fit ? codes.get(key) : undefined;
    if (known !== undefined) return rows.again(stream, known);
    const parts = fields.flatMap((field) =>
      field === undefined || field.codes[rows.count] === 0
        ? []
        : [[field.name, valueOf(field, field.codes[rows.count] ?? 0)] as const],
    );
    const id = parts.join('\n');
    let text = streams.get(id);
    if (text === undefined)
      streams.set(id, (text = `{${parts.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}}`));
    rows.set(stream, text, false);
    codes.set(key, stream.codes[rows.count] ?? 0);
  };
}

/** The id of a stream: 48 hexadecimal digits. */
export const streamId = (stream: string): string =>
  `${'0'.repeat(16)}${cryptoOnDemand().hash('sha256', stream, 'hex').slice(0, 32)}`;
