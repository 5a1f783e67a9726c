import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { toastSuccess } from '../../ui/toasts.tsx';
import { BulkDialog, type BulkQuestion } from './BulkDialog.tsx';
import { OperationDrawer } from './drawer/OperationDrawer.tsx';

/** Work on many jobs: the question with its dry run, then the running operation beside the page. Draw `dialogs` somewhere on it. */
export function useBulk(onStarted?: () => void): { ask(question: BulkQuestion): void; dialogs: ReactNode } {
  const [question, setQuestion] = useState<BulkQuestion | null>(null);
  const [operationId, setOperationId] = useState<string | null>(null);
  // It begins some seconds after it was confirmed: the page may have been left by then.
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  const show = (id: string) => {
    if (here.current) setOperationId(id);
    else toastSuccess(t('Operation started'), t('See Operations for progress and the report.'));
  };
  return {
    ask: setQuestion,
    dialogs: (
      <>
        {question && (
          <BulkDialog
            question={question}
            onClose={() => setQuestion(null)}
            onStarted={(id) => {
              show(id);
              onStarted?.();
            }}
          />
        )}
        <OperationDrawer operationId={operationId} onClose={() => setOperationId(null)} />
      </>
    ),
  };
}
