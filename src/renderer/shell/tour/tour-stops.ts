import { t } from '../../../lib/language.ts';

export interface TourStop {
  /** `data-tour` of what it points at. */
  readonly target: string;
  readonly title: string;
  readonly words: string;
}

/** Short: what one would not find by oneself on the first day. */
export const tourStops = (): readonly TourStop[] => [
  {
    target: 'nav',
    title: t('The pages'),
    words: t(
      "Build and publish workflows; each run is a job. Failures groups errors by cause: start here when you're on call. Press “g” and a letter to open a page.",
    ),
  },
  {
    target: 'search',
    title: t('Go anywhere'),
    words: t(
      'Ctrl+K (or ⌘K) finds pages, actions, settings and help. Paste any ID (job, task, version, worker or key) to open it.',
    ),
  },
  {
    target: 'connection',
    title: t('Cluster and connection'),
    words: t(
      'Shows which cluster you are on and whether updates are live. If the master stops responding, the page shows its last known state and blocks changes.',
    ),
  },
  {
    target: 'command',
    title: t('In a terminal'),
    words: t('Shows what this page does as a CLI command, as curl and as a link. Press “c”.'),
  },
  {
    target: 'bell',
    title: t('While you were away'),
    words: t(
      'Alerts, finished operations, publications by others and lost workers. “?” lists all shortcuts, “h” opens the docs for the current page.',
    ),
  },
];
