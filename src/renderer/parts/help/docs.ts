import { type Block, parseMarkdown, plainText } from './markdown.ts';

/** The pages of the docs, by name (`console`), as they were when the console was built. In a chunk of its own: who asks for no help loads none. */
const SOURCES = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default', eager: true });
const IMAGES = import.meta.glob<string>('../../../../docs/images/*.png', { query: '?url', import: 'default', eager: true });

export interface Topic {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly sections: readonly Section[];
}
export interface Section {
  readonly slug: string;
  readonly title: string;
  /** The words under it, up to the next heading. */
  readonly text: string;
}

const nameOf = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
const images = new Map(Object.entries(IMAGES).map(([path, url]) => [nameOf(path), url]));

/** Address of a picture that the docs name, or null. */
export const imageAt = (path: string): string | null => images.get(nameOf(path)) ?? null;

let read: ReadonlyMap<string, Topic> | undefined;
/** All topics, by name; parsed when first asked for. */
export const topics = (): ReadonlyMap<string, Topic> => (read ??= new Map(Object.entries(SOURCES).map(([path, source]) => [nameOf(path), topicOf(nameOf(path), source)])));

export function topicOf(name: string, source: string): Topic {
  const blocks = parseMarkdown(source);
  const sections: { slug: string; title: string; text: string }[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading') sections.push({ slug: block.slug, title: plainText(block.text), text: '' });
    else {
      if (sections.length === 0) sections.push({ slug: '', title: name, text: '' });
      const last = sections.at(-1);
      if (last) last.text += ` ${wordsOf(block)}`;
    }
  }
  return { name, title: sections[0]?.title ?? name, blocks, sections };
}

function wordsOf(block: Block): string {
  if (block.kind === 'paragraph' || block.kind === 'heading') return plainText(block.text);
  if (block.kind === 'code') return block.text;
  if (block.kind === 'list') return block.items.map((item) => item.map(wordsOf).join(' ')).join(' ');
  if (block.kind === 'table') return [block.head, ...block.rows].map((row) => row.map(plainText).join(' ')).join(' ');
  return block.kind === 'quote' ? block.children.map(wordsOf).join(' ') : '';
}
