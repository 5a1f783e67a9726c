import { type Node, parsePlain } from './parse.ts';

/** More ways than this are not worth looking for one by one. */
const MOST = 16;

/** Texts of which every match has at least one; null where nothing is sure. */
export function literalsOf(pattern: string): readonly string[] | null {
  const plain = parsePlain(pattern);
  return plain === null || plain.fold ? null : sure(plain.node);
}

/** The text, where the expression is nothing but that. */
export function wholeLiteral(pattern: string): string | null {
  const plain = parsePlain(pattern);
  if (plain === null || plain.fold) return null;
  const { node } = plain;
  if (node.kind === 'char') return node.text;
  if (node.kind !== 'cat' || node.parts.length === 0) return null;
  return node.parts.every((part) => part.kind === 'char') ? node.parts.map(({ text }) => text).join('') : null;
}

function sure(node: Node): readonly string[] | null {
  switch (node.kind) {
    case 'char':
      return [node.text];
    case 'repeat':
      return node.min > 0 ? sure(node.part) : null;
    case 'alt': {
      const all: string[] = [];
      for (const part of node.parts) {
        const found = sure(part);
        if (found === null) return null;
        all.push(...found);
      }
      return all.length > MOST ? null : all;
    }
    case 'cat': {
      let best: readonly string[] | null = null;
      let run = '';
      for (const part of [...node.parts, null]) {
        if (part?.kind === 'char') {
          run += part.text;
          continue;
        }
        for (const found of [run === '' ? null : [run], part === null ? null : sure(part)])
          if (found !== null && worth(found) > worth(best)) best = found;
        run = '';
      }
      return best;
    }
    default:
      return null;
  }
}

/** A long text is rare; of several the shortest counts. */
const worth = (texts: readonly string[] | null): number =>
  texts === null
    ? 0
    : texts.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY) -
      texts.length / (MOST * 2);
