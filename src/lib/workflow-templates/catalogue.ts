import { t } from '../language.ts';

/** What a new workflow can start from, as the gallery and the command line list it; the graphs are in `index.ts`. */
export const TEMPLATE_CATEGORIES = ['integrations', 'data', 'people'] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

export const CATEGORY_NAMES: Readonly<Record<TemplateCategory, string>> = {
  integrations: t('Integrations'),
  data: t('Data'),
  people: t('People and waits'),
};

export const TEMPLATE_IDS = [
  'call-api',
  'call-many',
  'two-sources',
  'with-fallback',
  'route-event',
  'copy-records',
  'validate-records',
  'report',
  'approve-amount',
  'wait-for-signal',
] as const;
export type TemplateId = (typeof TEMPLATE_IDS)[number];

export interface TemplateEntry {
  readonly category: TemplateCategory;
  readonly name: string;
  /** One sentence: what it does. */
  readonly description: string;
}

export const TEMPLATE_ENTRIES: Readonly<Record<TemplateId, TemplateEntry>> = {
  'call-api': {
    category: 'integrations',
    name: t('Call an API'),
    description: t('Sends one HTTP request and returns only the fields you need.'),
  },
  'call-many': {
    category: 'integrations',
    name: t('Call an API for each item'),
    description: t('Sends a request for each item of a list, five at a time; failed items do not stop the others.'),
  },
  'two-sources': {
    category: 'integrations',
    name: t('Combine two APIs'),
    description: t('Calls two APIs at the same time and merges their responses.'),
  },
  'with-fallback': {
    category: 'integrations',
    name: t('Call an API with a fallback'),
    description: t('Retries a request twice; if it still fails, continues with a default value.'),
  },
  'route-event': {
    category: 'integrations',
    name: t('Route an event'),
    description: t('Posts critical events to a webhook at once and collects all others for a digest.'),
  },
  'copy-records': {
    category: 'data',
    name: t('Copy records between systems'),
    description: t('Reads records from one API, reshapes them, writes each to another and reports what failed.'),
  },
  'validate-records': {
    category: 'data',
    name: t('Validate records'),
    description: t('Checks and normalizes records in code and returns the rejected ones with reasons.'),
  },
  report: {
    category: 'data',
    name: t('Summarize as a report'),
    description: t('Totals orders by country and renders a text report.'),
  },
  'approve-amount': {
    category: 'people',
    name: t('Approve large amounts'),
    description: t('Approves small requests automatically and asks a person about those above a limit.'),
  },
  'wait-for-signal': {
    category: 'people',
    name: t('Wait for a payment'),
    description: t('Waits up to three days for a signal from outside, then confirms or sends a reminder.'),
  },
};
