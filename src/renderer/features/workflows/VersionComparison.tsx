import { type ReactNode, useState } from 'react';
import { type DiffForm, VersionDiff } from './diff/VersionDiff.tsx';

/** What differs between two versions, for pages of other things. */
export function VersionComparison({
  workflowId,
  from,
  to,
}: {
  workflowId: string;
  from: string;
  to: string;
}): ReactNode {
  const [form, setForm] = useState<DiffForm>('changes');
  return <VersionDiff workflowId={workflowId} from={from} to={to} form={form} onForm={setForm} maxHeight="420px" />;
}
