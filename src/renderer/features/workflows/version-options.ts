import type { Commit } from '../../../contract/workflows.ts';
import { t } from '../../../lib/language.ts';

/** Versions as choices: hash, first line of the message, environments. `more`: hashes that have to be there even where the list does not reach so far back. */
export function versionOptions(
  commits: readonly Commit[],
  more: readonly string[] = [],
): { value: string; label: string }[] {
  const options = commits.map((commit) => ({
    value: commit.hash,
    label: [
      ...(commit.number === undefined ? [] : [t('v{number}', { number: commit.number })]),
      commit.hash.slice(0, 8),
      ...(commit.tags ?? []).map((tag) => `#${tag}`),
      firstLine(commit.message),
      ...(commit.environments.length === 0 ? [] : [`(${commit.environments.join(', ')})`]),
      ...(commit.valid ? [] : [t('– has errors')]),
    ].join(' '),
  }));
  const known = new Set(options.map((option) => option.value));
  for (const hash of more) {
    if (hash === '' || known.has(hash)) continue;
    known.add(hash);
    options.push({ value: hash, label: hash.slice(0, 8) });
  }
  return options;
}

const firstLine = (message: string): string => {
  const line = message.split('\n')[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
