import { Button, Modal, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { LogRecord } from '../../../../contract/logs.ts';
import { t } from '../../../../lib/language.ts';
import { logContextQuery } from '../../../api/logs.ts';
import css from './ContextPanel.module.css';
import { LogRow } from './LogRow.tsx';
import { removeKnownRecords } from './remove-known-records.ts';
import { Loading } from '../../../ui/Loading.tsx';

const SCOPES = [
  { field: 'task_id', label: t('Task') },
  { field: 'job_id', label: t('Job') },
  { field: 'worker_id', label: t('Worker') },
  { field: 'source', label: t('Source') },
  { field: '', label: t('All lines') },
] as const;
const STEP = 20;
const MOST = 1000;
const NOTHING = { needles: [], find: null } as const;

/** The lines before and after one, whatever the query asks for. */
export function ContextPanel({ record, onClose }: { record: LogRecord | null; onClose(): void }): ReactNode {
  return (
    <Modal opened={record !== null} onClose={onClose} size="min(1200px, 94vw)" title={t('Show context')}>
      {record !== null && <Around key={JSON.stringify(record)} record={record} />}
    </Modal>
  );
}

function Around({ record }: { record: LogRecord }): ReactNode {
  const scopes = SCOPES.filter(({ field }) => field === '' || typeof record[field] === 'string');
  const [scope, setScope] = useState<string>(scopes[0]?.field ?? '');
  const [before, setBefore] = useState(STEP);
  const [after, setAfter] = useState(STEP);
  const query = useQuery(
    logContextQuery({ at: record._time, before, after, ...(scope === '' ? {} : { [scope]: String(record[scope]) }) }),
  );
  const own = useRef<HTMLDivElement>(null);
  // Newer browsers answer with a promise, which is nothing that ends the effect.
  useEffect(() => void own.current?.scrollIntoView({ block: 'center' }), [query.data === undefined, scope]);
  const found = query.data;
  const lines = found ? [...found.before, ...found.after] : [];
  const mine = lines.findIndex((line) => removeKnownRecords([line], [record]).length === 0);
  return (
    <Stack gap={8}>
      <SegmentedControl
        aria-label={t('Context')}
        data={scopes.map(({ field, label }) => ({ value: field, label }))}
        value={scope}
        onChange={setScope}
      />
      {!found && <Loading query={query} what={t('Could not load the context')} lines={10} compact />}
      {found && (
        <>
          <Button
            size="compact-xs"
            variant="default"
            disabled={found.before.length < before || before >= MOST}
            onClick={() => setBefore((n) => Math.min(MOST, n + 4 * STEP))}
          >
            {found.before.length < before ? t('No earlier lines') : t('Earlier lines')}
          </Button>
          <div className={css['lines']} role="grid" aria-label={t('Show context')} tabIndex={0}>
            {lines.map((line, i) => (
              <div key={i} ref={i === mine ? own : null} data-own={i === mine || undefined} role="presentation">
                <LogRow
                  record={line}
                  number={i}
                  domId={`context-${i}`}
                  open={false}
                  active={i === mine}
                  selected={false}
                  pinned={false}
                  found={false}
                  columns={[]}
                  colour="level"
                  marks={NOTHING}
                />
              </div>
            ))}
          </div>
          <Button
            size="compact-xs"
            variant="default"
            disabled={found.after.length <= after || after >= MOST}
            onClick={() => setAfter((n) => Math.min(MOST, n + 4 * STEP))}
          >
            {found.after.length <= after ? t('No later lines') : t('Later lines')}
          </Button>
        </>
      )}
    </Stack>
  );
}
