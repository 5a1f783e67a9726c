import { type ReactNode, useState } from 'react';
import { BulkDialog, type BulkQuestion } from './BulkDialog.tsx';
import { OperationDrawer } from './OperationDrawer.tsx';

/** Work on many jobs: the question with its dry run, then the running operation beside the page. Draw `dialogs` somewhere on it. */
export function useBulk(onStarted?: () => void): { ask(question: BulkQuestion): void; show(operationId: string): void; dialogs: ReactNode } {
  const [question, setQuestion] = useState<BulkQuestion | null>(null);
  const [operationId, setOperationId] = useState<string | null>(null);
  return {
    ask: setQuestion,
    show: setOperationId,
    dialogs: (
      <>
        {question && (
          <BulkDialog
            question={question}
            onClose={() => setQuestion(null)}
            onStarted={(id) => {
              setQuestion(null);
              setOperationId(id);
              onStarted?.();
            }}
          />
        )}
        <OperationDrawer operationId={operationId} onClose={() => setOperationId(null)} />
      </>
    ),
  };
}
