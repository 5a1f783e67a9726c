import { Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { t, tn } from '../../../lib/language.ts';
import { openApprovalsQuery } from '../../api/approvals.ts';
import { firingQuery } from '../../api/alerts.ts';
import { usePreferences } from '../../stores/context.tsx';
import { useRights } from '../../stores/role.ts';
import css from './Frame.module.css';
import { approvalsEntry, isFor, navEntries, operationsEntry } from './nav.ts';
import { TourInvite } from '../tour/TourInvite.tsx';

export function NavBar({ onTour }: { onTour(): void }) {
  const folded = usePreferences((p) => p.navFolded);
  const set = usePreferences((p) => p.set);
  // Operations are a page of the jobs.
  const onOperations = useLocation({ select: ({ pathname }) => pathname === operationsEntry().to });
  const onApprovals = useLocation({ select: ({ pathname }) => pathname === approvalsEntry().to });
  // The hint of a link that was pressed would lie over the page.
  const [pressed, setPressed] = useState<string | null>(null);
  const rights = useRights();
  const waiting = useQuery(openApprovalsQuery()).data?.totalItems ?? 0;
  const showsApprovals = waiting > 0 || onApprovals;
  const Fold = folded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className={`${css['nav']} ${folded ? css['folded'] : ''}`} aria-label={t('Pages')}>
      <Link to="/" className={css['brand'] ?? ''} aria-label={t('Yardmaster, go to overview')}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" />
        <span className={css['word']}>{t('Yardmaster')}</span>
      </Link>
      <ul className={css['links']} data-tour="nav">
        {navEntries(showsApprovals)
          .filter((entry) => isFor(rights, entry))
          .map(({ to, label, icon: Icon, key }) => (
            <li key={to}>
              <Tooltip
                label={folded ? t('{label} (g {key})', { label, key }) : `g ${key}`}
                position="right"
                openDelay={500}
                disabled={pressed === to}
              >
                <Link
                  to={to}
                  className={css['link'] ?? ''}
                  onClick={() => setPressed(to)}
                  onPointerLeave={() => setPressed(null)}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  {...(to === '/jobs' && onOperations ? { 'data-status': 'active' } : {})}
                >
                  <Icon size={18} stroke={1.8} aria-hidden />
                  <span className={css['word']}>{label}</span>
                  {to === '/alerts' && <Firing />}
                  {to === '/approvals' && waiting > 0 && (
                    <span className={css['count']} data-hint={tn('{count} approval', '{count} approvals', waiting)}>
                      {waiting > 99 ? '99+' : waiting}
                    </span>
                  )}
                </Link>
              </Tooltip>
            </li>
          ))}
      </ul>
      {!folded && <TourInvite onStart={onTour} />}
      <button type="button" className={css['fold']} onClick={() => set({ navFolded: !folded })} aria-expanded={!folded}>
        <Fold size={18} stroke={1.8} aria-hidden />
        <span className={css['word']}>{folded ? t('Expand sidebar') : t('Collapse sidebar')}</span>
      </button>
    </nav>
  );
}

/** How many alerts are open; nothing where none is. */
function Firing() {
  const { data } = useQuery(firingQuery());
  if (!data || data.totalItems === 0) return null;
  return (
    <span className={css['count']} data-hint={tn('{count} alert', '{count} alerts', data.totalItems)}>
      {data.totalItems > 99 ? '99+' : data.totalItems}
      <span className="visually-hidden"> {data.totalItems === 1 ? t('alert') : t('alerts')}</span>
    </span>
  );
}
