import { isOneOf } from '../../../lib/is-one-of.ts';
import { Button, Tabs } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { Page, PageHeader } from '../../ui/Page.tsx';
import css from './shared/Alerts.module.css';
import { ChannelsTab } from './channels/ChannelsTab.tsx';
import { FiringTab } from './firing/FiringTab.tsx';
import { HistoryTab } from './firing/HistoryTab.tsx';
import { RoutingTab } from './routing/RoutingTab.tsx';
import { RulesTab } from './rules/RulesTab.tsx';
import { ALERT_TABS, type AlertTab } from './alerts-search.ts';
import { SilencesTab } from './silences/SilencesTab.tsx';

const route = getRouteApi('/alerts');
const LABELS: Readonly<Record<AlertTab, string>> = {
  firing: t('Firing'),
  rules: t('Rules'),
  silences: t('Silences'),
  channels: t('Channels'),
  routing: t('Routing'),
  history: t('History'),
};
const BODIES: Readonly<Record<AlertTab, () => ReactNode>> = {
  firing: FiringTab,
  rules: RulesTab,
  silences: SilencesTab,
  channels: ChannelsTab,
  routing: RoutingTab,
  history: HistoryTab,
};

/** What fires now, why, who is told, and what happened before. */
export function AlertsPage(): ReactNode {
  const { tab = 'firing' } = route.useSearch();
  const navigate = route.useNavigate();
  const Body = BODIES[tab];
  return (
    <Page fill>
      <PageHeader
        title={t('Alerts')}
        documentTitle={t('{value}, alerts', { value: LABELS[tab] })}
        actions={<AllowNotifications />}
      />
      <Tabs
        value={tab}
        onChange={(next) =>
          isOneOf(ALERT_TABS, next) && void navigate({ search: next === 'firing' ? {} : { tab: next } })
        }
        keepMounted={false}
      >
        <Tabs.List aria-label={t('Alerts')}>
          {ALERT_TABS.map((each) => (
            <Tabs.Tab key={each} value={each} id={`tab-${each}`} aria-controls="alerts-panel">
              {LABELS[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <div
        id="alerts-panel"
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        className={`${css['panel']} ${tab === 'routing' ? css['scroll'] : ''}`}
      >
        <Body />
      </div>
    </Page>
  );
}

/** Browsers show notes of the desktop channel once they are allowed to; the desktop app always does. */
function AllowNotifications() {
  const known = typeof Notification === 'undefined' || window.yardmaster ? 'granted' : Notification.permission;
  const [permission, setPermission] = useState(known);
  if (permission !== 'default') return null;
  return (
    <Button
      variant="default"
      leftSection={<IconBell size={15} aria-hidden />}
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      {t('Show alerts on this screen')}
    </Button>
  );
}
