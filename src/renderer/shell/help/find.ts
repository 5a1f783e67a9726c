import type { Section, Topic } from './docs.ts';

export interface HelpHit {
  readonly topic: Topic;
  readonly section: Section;
  /** A piece of the text around the first word found. */
  readonly excerpt: string;
  readonly score: number;
}

/** Sections that hold all the words, or words that begin so; those with them in the title first. */
export function findHelp(topics: Iterable<Topic>, query: string, most = 20): HelpHit[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 8);
  if (words.length === 0) return [];
  const hits: HelpHit[] = [];
  for (const topic of topics) {
    for (const section of topic.sections) {
      const title = section.title.toLowerCase();
      const text = section.text.toLowerCase();
      const all = `${topic.title.toLowerCase()} ${title} ${text}`;
      if (!words.every((word) => all.includes(word))) continue;
      let score = 0;
      for (const word of words)
        score +=
          (title.includes(word) ? 20 : 0) +
          (topic.title.toLowerCase().includes(word) ? 8 : 0) +
          Math.min(5, text.split(word).length - 1);
      const at = Math.max(0, text.indexOf(words.find((word) => text.includes(word)) ?? '') - 50);
      hits.push({ topic, section, score, excerpt: `${at > 0 ? '…' : ''}${section.text.trim().slice(at, at + 160)}…` });
    }
  }
  return hits.toSorted((a, b) => b.score - a.score).slice(0, most);
}

/** Which topic tells of a page of the console. */
const PAGES: readonly [prefix: string, topic: string][] = [
  ['/workflows', 'nodes'],
  ['/schedules', 'schedules'],
  ['/jobs', 'bulk-operations'],
  ['/failures', 'failures'],
  ['/operations', 'bulk-operations'],
  ['/approvals', 'publishing'],
  ['/workers', 'worker-protocol'],
  ['/logs', 'logs-viewer'],
  ['/dashboards', 'dashboards'],
  ['/alerts', 'alerts'],
  ['/cluster', 'cluster'],
  ['/fleet', 'fleet'],
  ['/settings', 'retention-and-backup'],
];
export const topicForPage = (pathname: string): string =>
  PAGES.find(([prefix]) => pathname.startsWith(prefix))?.[1] ?? 'console';
