import { parseStored } from './json.ts';

/**
 * Many JSON values as texts in few pieces of bytes: they go between threads and into the store as they are, and nobody
 * has to hold them as values.
 */
export interface PackedInputs {
  readonly length: number;
  readonly chunks: readonly InputChunk[];
}

export interface InputChunk {
  readonly count: number;
  /** JSON texts, UTF-8, each ended by a line feed; JSON as `JSON.stringify` writes it holds none. */
  readonly texts: Uint8Array;
}

/** A piece ends with the text that takes it over either. */
const CHUNK_INPUTS = 1000;
const CHUNK_BYTES = 256 * 1024;

export const isPacked = (inputs: readonly unknown[] | PackedInputs): inputs is PackedInputs => !Array.isArray(inputs);

/** Packs JSON texts without line feeds. */
export function packTexts(texts: Iterable<string>): PackedInputs {
  const chunks: InputChunk[] = [];
  let lines: string[] = [];
  let characters = 0;
  let length = 0;
  const close = () => {
    if (lines.length === 0) return;
    // A buffer of its own, so that it can be handed to another thread.
    const texts = new Uint8Array(new TextEncoder().encode(`${lines.join('\n')}\n`));
    chunks.push({ count: lines.length, texts });
    lines = [];
    characters = 0;
  };
  for (const text of texts) {
    lines.push(text);
    characters += text.length + 1;
    length++;
    if (lines.length >= CHUNK_INPUTS || characters >= CHUNK_BYTES) close();
  }
  close();
  return { length, chunks };
}

/** The texts of one piece, from the `from`th on, at most `many`. */
export function unpackChunk({ texts }: Pick<InputChunk, 'texts'>, from = 0, many = Number.POSITIVE_INFINITY): string[] {
  const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength);
  const found: string[] = [];
  let start = 0;
  for (let i = 0; found.length < many; i++) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0) break;
    if (i >= from) found.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return found;
}

/** JSON text of a value that is never built here, in the place of the value. */
export class JsonSource {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Many JSON texts as one text, a JSON array of them, in the place of the array of their values: nobody makes so many before they are needed. */
export class JsonTexts {
  readonly length: number;
  private readonly text: string;
  constructor(length: number, text: string) {
    this.length = length;
    this.text = text;
  }
  texts(): string[] {
    return parseStored(this.text);
  }
}

/** JSON text of a value; absent ones are `null`. */
export const jsonTextOf = (value: unknown): string =>
  value instanceof JsonSource ? value.text : (JSON.stringify(value) ?? 'null');

/** JSON texts of the values of a list. */
export const jsonTextsOf = (values: readonly unknown[] | JsonTexts): string[] =>
  values instanceof JsonTexts ? values.texts() : values.map(jsonTextOf);

/** Bytes with a buffer of their own, which can be moved to another thread: a small buffer shares one with others. */
export const toTransferable = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : Uint8Array.from(bytes);
