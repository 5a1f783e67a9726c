import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import {
  IconColumnInsertRight,
  IconFilterMinus,
  IconFilterPlus,
  IconListSearch,
  IconPin,
  IconPinnedOff,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LogRecord } from '../../../../contract/logs.ts';
import { t } from '../../../../lib/language.ts';
import { fieldText } from '../../../../lib/log-line.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import css from './LogDetail.module.css';

export interface LogDetailProps {
  readonly record: LogRecord;
  readonly pinned: boolean;
  readonly columns: readonly string[];
  onPin(): void;
  onContext(): void;
  /** Asks for (or without) records of this value; absent where there is no query to add to. */
  readonly onFilter?: ((field: string, value: string, negate: boolean) => void) | undefined;
  readonly onColumn?: ((field: string) => void) | undefined;
}

const FIRST = ['_time', 'level', 'job_id', 'task_id', 'attempt', 'worker_id', 'source'];
const rank = (field: string): number => (FIRST.includes(field) ? FIRST.indexOf(field) : FIRST.length);

/** All of one record, and what can be done with it. */
export function LogDetail({
  record,
  pinned,
  columns,
  onPin,
  onContext,
  onFilter,
  onColumn,
}: LogDetailProps): ReactNode {
  const fields = Object.entries(record)
    .filter(([field, value]) => field !== '_msg' && value !== null && value !== undefined && value !== '')
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const { job_id: job, task_id: task, worker_id: worker } = record;
  return (
    <div className={css['detail']} data-log-detail>
      <pre className={css['whole']}>{record._msg}</pre>
      <dl className={css['fields']}>
        {fields.map(([field, value]) => {
          const text = fieldText(value);
          return (
            <div key={field} className={css['field']}>
              <dt>{field}</dt>
              <dd>
                <span>{text}</span>
                {onFilter && field !== '_time' && (
                  <>
                    <Act
                      label={t('Only records with this {field}', { field })}
                      icon={IconFilterPlus}
                      onClick={() => onFilter(field, text, false)}
                    />
                    <Act
                      label={t('Exclude records with this {field}', { field })}
                      icon={IconFilterMinus}
                      onClick={() => onFilter(field, text, true)}
                    />
                  </>
                )}
                {onColumn && field !== '_time' && field !== 'level' && (
                  <Act
                    label={
                      columns.includes(field)
                        ? t('Remove column {field}', { field })
                        : t('Show {field} as a column', { field })
                    }
                    icon={IconColumnInsertRight}
                    onClick={() => onColumn(field)}
                  />
                )}
                <CopyButton value={text} label={t('Copy {field}', { field })} size="md" />
              </dd>
            </div>
          );
        })}
      </dl>
      <Group gap={6}>
        {job !== undefined && task !== undefined && (
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(root) => <Link to="/jobs/$jobId" params={{ jobId: job }} search={{ task }} {...root} />}
          >
            {record['attempt'] === undefined
              ? t('Open task')
              : t('Open task, attempt {attempt}', { attempt: fieldText(record['attempt']) })}
          </Button>
        )}
        {job !== undefined && (
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(root) => <Link to="/jobs/$jobId" params={{ jobId: job }} {...root} />}
          >
            {t('Open job')}
          </Button>
        )}
        {worker !== undefined && (
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(root) => <Link to="/workers" search={{ worker }} {...root} />}
          >
            {t('Open worker')}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconListSearch size={13} aria-hidden />}
          onClick={onContext}
        >
          {t('Show context')}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={pinned ? <IconPinnedOff size={13} aria-hidden /> : <IconPin size={13} aria-hidden />}
          onClick={onPin}
        >
          {pinned ? t('Unpin') : t('Pin')}
        </Button>
        <CopyButton value={JSON.stringify(record)} label={t('Copy record as JSON')} size="md" />
      </Group>
    </div>
  );
}

function Act({
  label,
  icon: Icon,
  onClick,
}: {
  label: string;
  icon: typeof IconFilterPlus;
  onClick(): void;
}): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} aria-label={label} onClick={onClick}>
        <Icon size={13} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
