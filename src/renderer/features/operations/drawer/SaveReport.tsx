import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Operation } from '../../../../contract/operations.ts';
import { csvField } from '../../../../lib/csv.ts';
import { t } from '../../../../lib/language.ts';
import { readResults } from '../../../api/operations.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { toastInfo, toastFailure } from '../../../ui/toasts.tsx';

const PAGE = 500;
/** Results that are put into one file here; the API pages through all. */
const MOST = 50_000;

/** What came of each job, as a CSV file. */
export function SaveReport({ operation }: { operation: Pick<Operation, 'operationId' | 'done'> }): ReactNode {
  const save = useMutation({
    mutationFn: async () => {
      const lines = ['jobId,ok,code,message,newJobId'];
      for (let page = 0; page * PAGE < MOST; page++) {
        const { items, totalPages } = await readResults(operation.operationId, { page, size: PAGE });
        for (const { jobId, ok, code, message, newJobId } of items)
          lines.push([jobId, ok, code, message, newJobId].map(csvField).join(','));
        if (page + 1 >= totalPages) break;
      }
      saveFile(`operation-${operation.operationId.slice(-12)}.csv`, 'text/csv', `${lines.join('\r\n')}\r\n`);
      if (operation.done > MOST)
        toastInfo(
          t('The report was truncated'),
          t('The file contains the first {count} results. Use the API to get all of them.', {
            count: formatCount(MOST),
          }),
        );
    },
    onError: toastFailure(t('Could not download the report')),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      loading={save.isPending}
      disabled={operation.done === 0}
      onClick={() => save.mutate()}
    >
      {t('Download report')}
    </Button>
  );
}
