import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { t } from '../../lib/language.ts';
import { formatCount } from './Duration.tsx';
import css from './Page.module.css';

/**
 * The frame of a page. `fill`: exactly as high as the window, so that a table or editor scrolls inside. `bleed`: what it
 * shows below the header reaches to its edges. `tight`: with less room above and below the header, for pages that change to one that bleeds.
 */
export function Page({
  fill = false,
  bleed = false,
  tight = bleed,
  children,
}: {
  fill?: boolean;
  bleed?: boolean;
  tight?: boolean;
  children: ReactNode;
}) {
  return (
    <div
      className={`${css['page']} ${fill ? css['fill'] : ''} ${tight ? css['tight'] : ''} ${bleed ? css['bleed'] : ''}`}
      data-fill={fill || undefined}
      data-bleed={bleed || undefined}
    >
      {children}
    </div>
  );
}

export interface PageHeaderProps {
  title: ReactNode;
  subtitle?: ReactNode;
  back?: { to: string; label: string };
  /** How many there are; null: not known yet. It keeps its room: what stands behind it is at the same place on each page that has one. */
  count?: number | null;
  /** Badges beside the title. */
  meta?: ReactNode;
  actions?: ReactNode;
  /** Title of the window where `title` is no text. */
  documentTitle?: string;
  /** The title is cut rather than that the badges beside it go to another line. */
  oneLine?: boolean;
}

/** The one `h1` of a page; names the window too. */
export function PageHeader({
  title,
  subtitle,
  back,
  count,
  meta,
  actions,
  documentTitle,
  oneLine = false,
}: PageHeaderProps) {
  const name = documentTitle ?? (typeof title === 'string' ? title : t('Yardmaster'));
  useEffect(() => {
    document.title = name === 'Yardmaster' ? name : `${name} · Yardmaster`;
  }, [name]);
  return (
    <header className={css['header']}>
      <div className={css['names']}>
        {back && (
          <Link to={back.to} className={css['back'] ?? ''}>
            <IconChevronLeft size={14} aria-hidden />
            {back.label}
          </Link>
        )}
        <div className={`${css['title']} ${oneLine ? css['oneLine'] : ''}`}>
          {count === undefined ? (
            <h1 dir="auto">{title}</h1>
          ) : (
            <div className={css['counted']}>
              <h1 dir="auto">{title}</h1>
              {count !== null && <span className="dim numbers">{formatCount(count)}</span>}
            </div>
          )}
          {meta}
        </div>
        {subtitle && (
          <div dir="auto" className={css['subtitle']}>
            {subtitle}
          </div>
        )}
      </div>
      {actions && <div className={css['actions']}>{actions}</div>}
    </header>
  );
}
