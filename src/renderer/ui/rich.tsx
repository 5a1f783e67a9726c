import { createElement, Fragment, type ReactNode } from 'react';
import { t } from '../../lib/language.ts';

/**
 * `text` in the reader's language with elements in its gaps: `rich('Read {link} first.', { link: <Link …/> })`. The order of
 * the gaps is the translator's; a gap without a part stays as it is written.
 */
export function rich(text: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  const pieces = t(text).split(/(\{\w+\})/);
  return createElement(
    Fragment,
    null,
    ...pieces.map((piece, i) =>
      i % 2 === 1 && Object.hasOwn(parts, piece.slice(1, -1)) ? parts[piece.slice(1, -1)] : piece,
    ),
  );
}
