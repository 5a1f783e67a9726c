import { Button, FileButton, Flex } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft, IconFolderOpen, IconLock, IconPackage } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { INCIDENT_ENDING } from '../../../contract/incident.ts';
import { t } from '../../../lib/language.ts';
import type { OpenBundle } from '../../api/incident/open.ts';
import { useStores } from '../../stores/context.tsx';
import { formatBytes } from '../../ui/Duration.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { Instant } from '../../ui/Time.tsx';
import { BundleConsole } from './bundle/BundleConsole.tsx';
import css from './bundle/Incident.module.css';
import { faultText } from './bundle/labels.ts';

/** A run from a file, with no master at hand: the pages of the console over what the file holds, and nothing that changes anything. */
export function IncidentPage(): ReactNode {
  const { incident } = useStores();
  const { phase, name, bytes, bundle, fault, open } = useStore(incident);
  const choose = (label: string, variant: 'default' | 'filled' = 'default') => (
    <FileButton onChange={(file) => file !== null && void open(file, file.name)} accept={`${INCIDENT_ENDING},.tgz,.gz`}>
      {(props) => (
        <Button
          {...props}
          variant={variant}
          size={variant === 'filled' ? 'sm' : 'xs'}
          leftSection={<IconFolderOpen size={15} aria-hidden />}
        >
          {label}
        </Button>
      )}
    </FileButton>
  );
  const words = phase === 'failed' ? faultText(fault) : null;
  return (
    <div className={css['window']}>
      <header className={css['banner']}>
        <span className={css['mark']}>
          <IconLock size={15} aria-hidden /> {t('Incident bundle, read-only')}
        </span>
        {bundle && <Taken bundle={bundle} name={name} />}
        <Flex component="span" gap={8} ml="auto">
          {phase === 'open' && choose(t('Open another…'))}
          <Button component={Link} to="/" variant="default" leftSection={<IconArrowLeft size={15} aria-hidden />}>
            {t('Go to the console')}
          </Button>
        </Flex>
      </header>
      <main className={css['main']} id="main" tabIndex={-1}>
        {phase === 'open' && bundle ? (
          <BundleConsole key={bundle.manifest.createdAt + name} bundle={bundle} />
        ) : (
          <Page>
            <PageHeader title={t('Open incident bundle')} />
            {phase === 'opening' ? (
              <EmptyState icon={IconPackage} title={t('Opening {name}', { name })}>
                <span role="status">{t('{bytes} unpacked', { bytes: formatBytes(bytes) })}</span>
              </EmptyState>
            ) : words ? (
              <div role="alert">
                <EmptyState
                  icon={IconAlertTriangle}
                  title={words.title}
                  action={choose(t('Choose another file…'), 'filled')}
                >
                  <p>{words.detail}</p>
                  <p className="mono dim">{name}</p>
                </EmptyState>
              </div>
            ) : (
              <EmptyState
                icon={IconPackage}
                title={t('Drop an incident bundle here')}
                action={choose(t('Choose a file…'), 'filled')}
              >
                {t(
                  "The file is only read in this window: nothing is uploaded, and no master is changed. To create a bundle, open a job's page.",
                )}
              </EmptyState>
            )}
          </Page>
        )}
      </main>
    </div>
  );
}

function Taken({ bundle: { manifest, end }, name }: { bundle: OpenBundle; name: string }): ReactNode {
  return (
    <>
      <span className={css['fact']} title={name}>
        {t('created')} <Instant at={manifest.createdAt} /> {t('from')} <strong>{manifest.cluster}</strong>{' '}
        {t('by {actor}, Yardmaster {version}', { actor: manifest.createdBy, version: manifest.master.version })}
      </span>
      {!manifest.payloads && <span className={css['fact']}>{t('without inputs and outputs')}</span>}
      {end.leftOut.length > 0 && (
        <details className={css['left']}>
          <summary>{t('Incomplete bundle')}</summary>
          <ul>
            {end.leftOut.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
