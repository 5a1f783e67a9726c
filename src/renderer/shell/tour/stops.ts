import { t } from '../../../lib/language.ts';

export interface Stop {
  /** `data-tour` of what it points at. */
  readonly target: string;
  readonly title: string;
  readonly words: string;
}

/** Short: what one would not find by oneself on the first day. */
export const stops = (): readonly Stop[] => [
  {
    target: 'nav',
    title: t('The pages'),
    words: t(
      'Workflows are built and published here; jobs are their runs. Failures groups what went wrong by its cause: begin there when you are called at night. “g” and a letter goes to each.',
    ),
  },
  {
    target: 'search',
    title: t('Go anywhere'),
    words: t(
      'Ctrl+K (or ⌘K) finds pages, actions, settings and help; paste any id (of a job, a task, a version, a worker, a key) and it opens.',
    ),
  },
  {
    target: 'connection',
    title: t('Which cluster, and how fresh'),
    words: t(
      'Shows where you are and whether changes arrive live. While the master does not answer, the page keeps what it knew, says how old it is, and changes nothing.',
    ),
  },
  {
    target: 'command',
    title: t('From a terminal'),
    words: t('What a page shows and does, as a command line, as curl, and as a link. The key is “c”.'),
  },
  {
    target: 'bell',
    title: t('What happened meanwhile'),
    words: t(
      'Alerts, ended operations, publications by others, lost workers. “?” lists every key, “h” opens the docs of the page you are on.',
    ),
  },
];
