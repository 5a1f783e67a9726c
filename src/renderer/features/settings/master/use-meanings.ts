import { useEffect, useState } from 'react';
import { readLaterTexts, t } from '../../../../lib/language.ts';

/** What a setting that is no limit does, in one sentence. */
const OTHER_MEANINGS: Readonly<Record<string, string>> = {
  jobRetentionMode: t('What happens to a job after its retention: it is deleted, or first written to the archive.'),
  httpAllow: t('Private hosts, addresses and ranges that http nodes may call.'),
  protectedEnvironments: t('Environments whose published versions change only after a second person approves.'),
  bulkApprovalOver: t('Bulk operations over more jobs than this need a second person.'),
  requireTests: t('Environments that accept no version whose test cases fail.'),
  approvalOverride: t('Whether admins may approve their own requests, with a reason.'),
  traceLink: t('Link from a job to its trace in another tool.'),
  grafanaLink: t('Link from a job to a Grafana dashboard.'),
  logsLink: t('Link from a job to its logs in another tool.'),
};

/** The sentences of `docs/limits.md`, by name: one place says what a limit is. */
export function readMeanings(markdown: string): ReadonlyMap<string, string> {
  return new Map(
    [...markdown.matchAll(/^\| `(\w+)` \|[^|]*\|[^|]*\| ([^|]*?) \|/gm)].map(([, name = '', text = '']) => [
      name,
      // Links lead on within the docs.
      text
        .replaceAll(/\s*\[More\]\([^)]*\)\.?/g, '')
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll('`', ''),
    ]),
  );
}

const OTHERS: ReadonlyMap<string, string> = new Map(Object.entries(OTHER_MEANINGS));

/** The sentences of the limits in the reader's language; those of the docs are English. */
async function readLimitMeanings(): Promise<ReadonlyMap<string, string>> {
  const theirs = readLaterTexts('limits');
  return theirs === null
    ? readMeanings((await import('../../../../../docs/limits.md?raw')).default)
    : new Map(Object.entries(await theirs));
}

/** What each setting does. The sentences of the limits come a moment later. */
export function useMeanings(): ReadonlyMap<string, string> {
  const [meanings, setMeanings] = useState(OTHERS);
  useEffect(() => {
    void readLimitMeanings().then((meaning) => setMeanings(new Map([...meaning, ...OTHERS])));
  }, []);
  return meanings;
}
