import type { MarkedToken } from 'marked';
import { parseMarkdown, plainText, slugify } from './markdown.ts';

/** The pages of the docs, by name (`console`), as they were when the console was built. In a chunk of its own: who asks for no help loads none. */
const SOURCES = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default', eager: true });
const IMAGES = import.meta.glob<string>('../../../../docs/images/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
});

export interface Topic {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly title: string;
  readonly tokens: readonly MarkedToken[];
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
export const topics = (): ReadonlyMap<string, Topic> =>
  (read ??= new Map(Object.entries(SOURCES).map(([path, source]) => [nameOf(path), parseTopic(nameOf(path), source)])));

export function parseTopic(name: string, source: string): Topic {
  const tokens = parseMarkdown(source);
  const sections: { slug: string; title: string; text: string }[] = [];
  for (const token of tokens) {
    const words = plainText(token);
    if (token.type === 'heading') sections.push({ slug: slugify(words), title: words, text: '' });
    else {
      if (sections.length === 0) sections.push({ slug: '', title: name, text: '' });
      const last = sections.at(-1);
      if (last) last.text += ` ${words}`;
    }
  }
  return { name, title: sections[0]?.title ?? name, tokens, sections };
}
