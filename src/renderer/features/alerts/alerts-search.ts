import { pageIn, sizeIn, textIn, wordIn } from '../../ui/search-params.ts';

export const ALERT_TABS = ['firing', 'rules', 'silences', 'channels', 'routing', 'history'] as const;
export type AlertTab = (typeof ALERT_TABS)[number];

/** View state of the alerts page. `rule`: the one that is edited, `new` for a new one; `silence`, `acknowledge`: the alert that is to be silenced, acknowledged; `channel`: the one that Routing is to send to, not yet saved. */
export interface AlertsSearch {
  tab?: AlertTab;
  page?: number;
  size?: number;
  q?: string;
  rule?: string;
  silence?: string;
  acknowledge?: string;
  channel?: string;
  kind?: 'state' | 'notification';
}

export const parseAlertsSearch = (input: Record<string, unknown>): AlertsSearch => ({
  ...wordIn(input, 'tab', ALERT_TABS),
  ...pageIn(input),
  ...sizeIn(input),
  ...textIn(input, 'q'),
  ...textIn(input, 'rule'),
  ...textIn(input, 'silence'),
  ...textIn(input, 'acknowledge'),
  ...textIn(input, 'channel'),
  ...wordIn(input, 'kind', ['state', 'notification'] as const),
});
