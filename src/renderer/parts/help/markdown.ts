/**
 * The part of Markdown that the docs are written in, as a tree: headings, paragraphs, lists, tables, code, quotes; inside
 * them code, bold, italics, links and images. HTML is text like any other. Every step goes forward, so that the time it
 * takes grows with the text and no faster.
 */
export type Inline = string | { readonly code: string } | { readonly strong: readonly Inline[] } | { readonly em: readonly Inline[] } | { readonly link: string; readonly children: readonly Inline[] } | { readonly image: string; readonly alt: string };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly slug: string; readonly text: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly text: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly head: readonly (readonly Inline[])[]; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'quote'; readonly children: readonly Block[] }
  | { readonly kind: 'rule' };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^(#{1,6}) +(.*?)(?: +#+)?$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const DIVIDER = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?\|? *$/;
/** Lists and quotes in each other, at most; deeper ones are text. */
const DEEPEST = 8;
/** How far behind a sign its partner may stand. */
const LOOK_AHEAD = 2000;

export function parseMarkdown(source: string): Block[] {
  return blocksOf(source.replaceAll('\r\n', '\n').split('\n'), 0);
}

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string;
    const fence = FENCE.exec(line)?.[1];
    const heading = HEADING.exec(line);
    if (line.trim() === '') at++;
    else if (fence !== undefined) {
      const start = ++at;
      while (at < lines.length && !(lines[at] as string).trimStart().startsWith(fence)) at++;
      blocks.push({ kind: 'code', text: lines.slice(start, at++).join('\n') });
    } else if (heading) {
      const text = inlineOf(heading[2] ?? '');
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, slug: slugOf(plainText(text)), text });
      at++;
    } else if (RULE.test(line)) {
      blocks.push({ kind: 'rule' });
      at++;
    } else if (line.includes('|') && DIVIDER.test(lines[at + 1] ?? '')) {
      const start = at + 2;
      at = start;
      while (at < lines.length && (lines[at] as string).includes('|')) at++;
      blocks.push({ kind: 'table', head: cellsOf(line), rows: lines.slice(start, at).map(cellsOf) });
    } else if (depth < DEEPEST && line.startsWith('>')) {
      const start = at;
      while (at < lines.length && (lines[at] as string).startsWith('>')) at++;
      blocks.push({ kind: 'quote', children: blocksOf(lines.slice(start, at).map((quoted) => quoted.replace(/^> ?/, '')), depth + 1) });
    } else if (depth < DEEPEST && ITEM.test(line)) {
      const ordered = /^ *\d/.test(line);
      const items: Block[][] = [];
      while (at < lines.length && ITEM.test(lines[at] as string) && /^ *\d/.test(lines[at] as string) === ordered) {
        const indent = ITEM.exec(lines[at] as string)?.[0].length ?? 2;
        const own = [(lines[at++] as string).slice(indent)];
        // Lines that are set in, or that go on with a paragraph; an empty line ends it where what follows stands at the margin.
        while (at < lines.length && (!ITEM.test(lines[at] as string) || leading(lines[at] as string) >= indent) && (/^\s+\S/.test(lines[at] as string) || ((lines[at] as string).trim() !== '' && own.at(-1) !== '' && !startsBlock(lines[at] as string)) || ((lines[at] as string).trim() === '' && /^\s{2,}\S/.test(lines[at + 1] ?? ''))))
          own.push((lines[at++] as string).replace(new RegExp(`^ {0,${indent}}`), ''));
        items.push(blocksOf(own, depth + 1));
        // One empty line between items.
        if ((lines[at] ?? 'x').trim() === '' && ITEM.test(lines[at + 1] ?? '') && /^ *\d/.test(lines[at + 1] ?? '') === ordered) at++;
      }
      blocks.push({ kind: 'list', ordered, items });
    } else {
      const start = at++;
      while (at < lines.length && (lines[at] as string).trim() !== '' && !startsBlock(lines[at] as string)) at++;
      blocks.push({ kind: 'paragraph', text: inlineOf(lines.slice(start, at).map((part) => part.trim()).join(' ')) });
    }
  }
  return blocks;
}

const leading = (line: string): number => line.length - line.trimStart().length;
const startsBlock = (line: string): boolean => FENCE.test(line) || HEADING.test(line) || RULE.test(line) || ITEM.test(line) || line.startsWith('>');

/** The cells of a row: a bar inside code, or behind a backslash, is no border. */
function cellsOf(line: string): Inline[][] {
  const cells: string[] = [];
  let cell = '';
  let code = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i] as string;
    if (c === '\\' && line[i + 1] === '|') cell += line[++i];
    else if (c === '|' && !code) {
      cells.push(cell);
      cell = '';
    } else {
      if (c === '`') code = !code;
      cell += c;
    }
  }
  cells.push(cell);
  if (cells[0]?.trim() === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((text) => inlineOf(text.trim()));
}

/** What is written in a line. A sign without its partner is text. */
export function inlineOf(text: string, depth = 0): Inline[] {
  const out: Inline[] = [];
  let plain = '';
  const put = (node: Inline) => {
    if (plain !== '') out.push(plain);
    plain = '';
    out.push(node);
  };
  for (let i = 0; i < text.length; ) {
    const c = text[i] as string;
    let match: RegExpExecArray | null = null;
    if (c === '\\' && /[!-/:-@[-`{-~]/.test(text[i + 1] ?? '')) {
      plain += text[i + 1];
      i += 2;
      continue;
    }
    const rest = '`![*'.includes(c) ? text.slice(i, i + LOOK_AHEAD) : '';
    if (c === '`' && (match = /^(`+)([^`](?:.*?[^`])??)\1(?!`)/.exec(rest))) put({ code: match[2]?.trim() || (match[2] ?? '') });
    else if (c === '!' && (match = /^!\[([^\]]{0,300})\]\(([^()\s]{1,500})\)/.exec(rest))) put({ image: match[2] ?? '', alt: match[1] ?? '' });
    else if (depth < DEEPEST && c === '[' && (match = /^\[((?:[^[\]]|\[[^[\]]*\]){1,300})\]\(([^()\s]{1,500})\)/.exec(rest))) put({ link: match[2] ?? '', children: inlineOf(match[1] ?? '', depth + 1) });
    else if (depth < DEEPEST && c === '*' && (match = /^\*\*(?=\S)([^*]{1,1000}(?:\*(?!\*)[^*]{1,1000}){0,8})\*\*/.exec(rest))) put({ strong: inlineOf(match[1] ?? '', depth + 1) });
    else if (depth < DEEPEST && c === '*' && (match = /^\*(?=[^\s*])([^*]{1,1000})\*/.exec(rest))) put({ em: inlineOf(match[1] ?? '', depth + 1) });
    if (match) i += match[0].length;
    else {
      plain += c;
      i++;
    }
  }
  if (plain !== '') out.push(plain);
  return out;
}

/** The words alone, for search and for names. */
export const plainText = (nodes: readonly Inline[]): string => nodes.map((node) => (typeof node === 'string' ? node : 'code' in node ? node.code : 'strong' in node ? plainText(node.strong) : 'em' in node ? plainText(node.em) : 'link' in node ? plainText(node.children) : node.alt)).join('');

/** As GitHub names headings, so that links between the docs lead there. */
export const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(/\s/g, '-');
