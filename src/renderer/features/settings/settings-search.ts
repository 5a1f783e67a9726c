import { pageIn, sizeIn, textIn } from '../../ui/search-params.ts';

export const SETTINGS_TABS = [
  'connections',
  'appearance',
  'desktop',
  'keys',
  'tokens',
  'secrets',
  'limits',
  'pipeline',
  'audit',
  'about',
] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** View state of the settings page; the filters belong to the audit log. */
export interface SettingsSearch {
  tab?: SettingsTab;
  page?: number;
  size?: number;
  action?: string;
  actor?: string;
  target?: string;
}

export function parseSettingsSearch(input: Record<string, unknown>): SettingsSearch {
  const tab = SETTINGS_TABS.find((t) => t === input['tab']);
  return {
    ...(tab ? { tab } : {}),
    ...pageIn(input),
    ...sizeIn(input),
    ...textIn(input, 'action'),
    ...textIn(input, 'actor'),
    ...textIn(input, 'target'),
  };
}
