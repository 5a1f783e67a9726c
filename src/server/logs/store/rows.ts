/**
 * Rows on their way into blocks. Texts are kept as "byte strings": JavaScript strings whose characters are the bytes of
 * the UTF-8 text, which V8 keeps at one byte each and compares and joins without decoding anything.
 */
export interface Field {
  readonly name: string;
  /** `values[codes[row]]`; code 0 is the empty value, which is the same as none. */
  readonly values: string[];
  /** By code: the value came as a JSON number, boolean or array, not as a string. */
  readonly bare: boolean[];
  codes: Uint32Array;
  texts: Map<string, number>;
  bareTexts: Map<string, number>;
  /** False: nearly every value differs from those before, so looking them up costs more than it saves. */
  lookUp: boolean;
}

/** Rows in the order of arrival, in columns. */
export interface Rows {
  readonly fields: ReadonlyMap<string, Field>;
  readonly count: number;
  /** True while rows came in the order of their times. */
  readonly ordered: boolean;
  readonly ms: Float64Array;
  readonly ns: Uint32Array;
  readonly seq: Float64Array;
  /** Bytes of text in all values. */
  readonly bytes: number;
  field(name: string): Field;
  /** Sets a value of the row that `add` ends. */
  set(field: Field, value: string, bare: boolean): void;
  /** Ends the row. */
  add(ms: number, ns: number, seq: number): void;
}

const LOOK_UP_AFTER = 512;
const LOOK_UP_SHARE = 0.6;

export function createRows(expected = 1024): Rows {
  const fields = new Map<string, Field>();
  let capacity = expected;
  let count = 0;
  let ms = new Float64Array(capacity);
  let ns = new Uint32Array(capacity);
  let seq = new Float64Array(capacity);
  let ordered = true;
  let bytes = 0;

  function grow(): void {
    capacity *= 2;
    const wider = <T extends Float64Array | Uint32Array>(old: T, fresh: T): T => (fresh.set(old), fresh);
    ms = wider(ms, new Float64Array(capacity));
    ns = wider(ns, new Uint32Array(capacity));
    seq = wider(seq, new Float64Array(capacity));
    for (const field of fields.values()) field.codes = wider(field.codes, new Uint32Array(capacity));
  }

  return {
    fields,
    get count() {
      return count;
    },
    get ordered() {
      return ordered;
    },
    get ms() {
      return ms;
    },
    get ns() {
      return ns;
    },
    get seq() {
      return seq;
    },
    get bytes() {
      return bytes;
    },
    field(name) {
      let field = fields.get(name);
      if (field === undefined) {
        field = { name, values: [''], bare: [false], codes: new Uint32Array(capacity), texts: new Map(), bareTexts: new Map(), lookUp: true };
        fields.set(name, field);
      }
      return field;
    },
    set(field, value, bare) {
      bytes += value.length;
      if (value === '') {
        field.codes[count] = 0;
        return;
      }
      const known = field.lookUp ? (bare ? field.bareTexts : field.texts).get(value) : undefined;
      if (known !== undefined) {
        field.codes[count] = known;
        return;
      }
      const code = field.values.length;
      field.values.push(value);
      field.bare.push(bare);
      field.codes[count] = code;
      if (!field.lookUp) return;
      (bare ? field.bareTexts : field.texts).set(value, code);
      if (code > LOOK_UP_AFTER && code > count * LOOK_UP_SHARE) {
        field.lookUp = false;
        field.texts = new Map();
        field.bareTexts = new Map();
      }
    },
    add(atMs, atNs, arrival) {
      if (ordered && count > 0) {
        const before = ms[count - 1] as number;
        if (atMs < before || (atMs === before && (atNs < (ns[count - 1] as number) || (atNs === ns[count - 1] && arrival < (seq[count - 1] as number))))) ordered = false;
      }
      ms[count] = atMs;
      ns[count] = atNs;
      seq[count] = arrival;
      if (++count === capacity) grow();
    },
  };
}

/** The rows' numbers in the order of their times, and of their arrival where times are equal. */
export function orderOf(rows: Rows): Uint32Array {
  const order = new Uint32Array(rows.count);
  for (let i = 0; i < order.length; i++) order[i] = i;
  if (rows.ordered) return order;
  const { ms, ns, seq } = rows;
  return order.sort((a, b) => (ms[a] as number) - (ms[b] as number) || (ns[a] as number) - (ns[b] as number) || (seq[a] as number) - (seq[b] as number));
}

export const bytesOf = (text: string): string => (isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1'));
export const textOf = (bytes: string): string => (isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString());
const beyondAscii = /[\u0080-\uffff]/;
const isAscii = (text: string): boolean => !beyondAscii.test(text);
