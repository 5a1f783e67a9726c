/**
 * What is left of a text when all but its letters and digits is taken out, in lower case: its core. A value that was
 * cut into pieces, joined with separators, or written in capitals has the same core; so have its codes as hex or decimal
 * numbers, however they are set apart.
 */
export const coreOf = (text: string): string => text.replace(/[^0-9A-Za-z]+/g, '').toLowerCase();

/** Cores that are shorter, or digits alone and shorter than the second, would be found by chance. */
export const MIN_CORE = 8;
export const MIN_DIGITS = 16;
export const isTelling = (core: string): boolean => core.length >= (isDigits(core) ? MIN_DIGITS : MIN_CORE);
export const isDigits = (core: string): boolean => /^\d+$/.test(core);

/** A long value is looked for piece by piece, and only so many characters of it. */
const PIECE = 64;
const LOOKED_FOR = 8192;

/**
 * Cores of what a value is commonly turned into: as it is, backwards, in the escapes of JSON, HTML and addresses, in base64 at
 * any place of a longer text, and as codes of its characters or bytes (hex, decimal, octal, `\x41`, `0x41`, `\u0041`).
 */
export function disguisesOf(value: string): Set<string> {
  const cores = new Set<string>();
  for (let from = 0; from < Math.min(value.length, LOOKED_FOR); from += PIECE)
    for (const text of disguised(value.slice(from, from + PIECE))) {
      const core = coreOf(text);
      if (isTelling(core)) cores.add(core);
    }
  return cores;
}

function disguised(piece: string): string[] {
  const bytes = Buffer.from(piece);
  const units = Array.from({ length: piece.length }, (_, i) => piece.charCodeAt(i));
  const isAscii = bytes.length === units.length;
  return [
    piece,
    [...piece].reverse().join(''),
    JSON.stringify(piece).slice(1, -1),
    piece.replace(/[&<>"']/g, (sign) => HTML[sign] ?? sign),
    percentEncoded(piece),
    ...base64Anywhere(bytes),
    ...codes(bytes),
    ...(isAscii ? [] : codes(units)),
    units.map((unit) => `u${hex(unit).padStart(4, '0')}`).join(''),
  ];
}

const hex = (code: number): string => code.toString(16).padStart(2, '0');

function codes(of: Buffer | number[]): string[] {
  const forwards = [...of];
  const backwards = forwards.toReversed();
  return [
    forwards.map(hex).join(''),
    backwards.map(hex).join(''),
    forwards.map((code) => `x${hex(code)}`).join(''),
    forwards.map((code) => `0x${hex(code)}`).join(''),
    forwards.join(''),
    backwards.join(''),
    forwards.map((code) => String(code).padStart(3, '0')).join(''),
    forwards.map((code) => code.toString(8).padStart(3, '0')).join(''),
  ];
}

/** The characters that are the same whatever stands before and after the bytes, for each place that they may have in a group of three. */
function base64Anywhere(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half of a character pair has no form in an address.
    return value;
  }
}
