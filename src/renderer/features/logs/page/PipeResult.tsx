import { IconTable } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { LogSearch } from '../../../../contract/logs.ts';
import { t } from '../../../../lib/language.ts';
import { fieldText } from '../../../../lib/log-line.ts';
import { PIPE_ROWS } from '../../../api/logs.ts';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';

interface Row {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}
const MAX_COLUMNS = 40;

/** What the pipes of a query make: rows of any fields. */
export function PipeResult({ query }: { query: UseQueryResult<LogSearch> }): ReactNode {
  const records = query.data?.records;
  const rows = useMemo(() => records?.map((fields, i): Row => ({ id: String(i), fields })), [records]);
  const columns = useMemo(() => columnsOf(rows ?? []), [rows]);
  return (
    <>
      <DataTable<Row>
        label={t('Query result rows')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        query={query}
        what={t('Could not run the query')}
        fill
        empty={<EmptyState icon={IconTable} title={t('The query returned no rows')} />}
      />
      {rows !== undefined && rows.length >= PIPE_ROWS && (
        <p className="dim">
          {t('Showing the first {PIPE_ROWS} rows. Narrow the query, or export all rows.', { PIPE_ROWS })}
        </p>
      )}
    </>
  );
}

function columnsOf(rows: readonly Row[]): readonly DataColumn<Row>[] {
  const names = new Set<string>();
  for (const { fields } of rows) for (const name of Object.keys(fields)) if (names.size < MAX_COLUMNS) names.add(name);
  return [...names].map((name) => {
    const texts = rows.slice(0, 50).map(({ fields }) => fieldText(fields[name] ?? ''));
    const longest = Math.max(name.length, ...texts.map((text) => text.length));
    const numeric = texts.every((text) => text === '' || /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(text));
    return {
      id: name,
      header: name,
      width: Math.min(480, 40 + longest * 8),
      grow: name === '_msg',
      ...(numeric ? { align: 'right' as const } : {}),
      cell: ({ fields }) => <span className="mono clip">{fieldText(fields[name] ?? '')}</span>,
    };
  });
}
