import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topics } from './docs.ts';
import { findHelp } from './find.ts';
import { type Block, type Inline, inlineOf, parseMarkdown, plainText } from './markdown.ts';

describe('what is written', () => {
  it('in a line', () => {
    expect(inlineOf('a **b `c`** *d* [e](f.md#g) ![h](i.png) `x|y` 2 * 3 * 4')).toEqual(['a ', { strong: ['b ', { code: 'c' }] }, ' ', { em: ['d'] }, ' ', { link: 'f.md#g', children: ['e'] }, ' ', { image: 'i.png', alt: 'h' }, ' ', { code: 'x|y' }, ' 2 * 3 * 4']);
  });
  it('as blocks', () => {
    expect(parseMarkdown('# T *x*\n\npara\ngoes on\n\n- one\n  two\n- **three**\n\n  1. four\n\n> q\n\n```sh\na\n\n# b\n```\n---').map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'list', 'quote', 'code', 'rule']);
    expect(parseMarkdown('- one\n  two\n\n  1. four')).toMatchObject([{ items: [[{ kind: 'paragraph', text: ['one two'] }, { kind: 'list', ordered: true }]] }]);
  });
  it('as a table, with bars inside code and behind backslashes', () => {
    expect(parseMarkdown('| a | b |\n|---|:-:|\n| `x|y` | p \\| q |')).toEqual([{ kind: 'table', head: [['a'], ['b']], rows: [[[{ code: 'x|y' }], ['p | q']]] }]);
  });
  it('as HTML is text', () => {
    expect(parseMarkdown('<script>alert(1)</script>')).toEqual([{ kind: 'paragraph', text: ['<script>alert(1)</script>'] }]);
  });
});

it('any text is read, to its end, in a time that grows with it', () => {
  fc.assert(fc.property(fc.array(fc.constantFrom('`', '*', '**', '[', '](', ')', '!', '|', '-', '\n', '\n\n', '> ', '- ', '1. ', '#', ' ', 'a', '\\', '```')).map((parts) => parts.join('')), (text) => void parseMarkdown(text)));
  const start = performance.now();
  for (const sign of ['*', '[', '`', '> ', '- ', '|', '**a', '![', '[a](']) parseMarkdown(sign.repeat(20_000));
  expect(performance.now() - start).toBeLessThan(5000);
});

describe('the docs', () => {
  const all = [...topics().values()];

  it('are all read, each with a title', () => {
    for (const topic of all) expect(topic.blocks[0], topic.name).toMatchObject({ kind: 'heading', level: 1 });
  });
  it('lead to places that are there', () => {
    const broken = all.flatMap((topic) =>
      topic.blocks.flatMap(linksOf).flatMap((link) => {
        const [, name, slug] = /^([\w-]*)\.md(?:#([\w-]+))?$/.exec(link) ?? [];
        const target = all.find((other) => other.name === name);
        return name === undefined || (target && (slug === undefined || target.sections.some((section) => section.slug === slug))) ? [] : [`${topic.name}: ${link}`];
      }),
    );
    expect(broken).toEqual([]);
  });
  it('are found by words, those with them in the title first', () => {
    expect(findHelp(all, 'dead letters')[0]?.section.title).toMatch(/dead letters/i);
    expect(findHelp(all, 'zzzz qqqq')).toEqual([]);
    expect(plainText(inlineOf('[a `b`](c) **d**'))).toBe('a b d');
  });
});

const linksIn = (nodes: readonly Inline[]): string[] => nodes.flatMap((node) => (typeof node === 'string' || 'code' in node || 'image' in node ? [] : 'link' in node ? [node.link] : linksIn('strong' in node ? node.strong : node.em)));
function linksOf(block: Block): string[] {
  if (block.kind === 'paragraph' || block.kind === 'heading') return linksIn(block.text);
  if (block.kind === 'list') return block.items.flat().flatMap(linksOf);
  if (block.kind === 'table') return [block.head, ...block.rows].flat().flatMap(linksIn);
  return block.kind === 'quote' ? block.children.flatMap(linksOf) : [];
}
