import type { TaskRecord } from '../engine/records.ts';
import type { Transaction } from '../engine/port.ts';
import { DROP_WAIT, END_APPROVAL, OPEN_APPROVALS_OF_TASK } from './sql.ts';

/** A task waits no more, whatever ended it. An approval that nobody decided is withdrawn. */
export function dropWait(tx: Transaction, { seq, node, facts }: TaskRecord, at: number): void {
  tx.db.statement(DROP_WAIT).run(seq);
  if (node.wait?.for !== 'approval') return;
  for (const { id } of tx.db.query<{ id: string }>(OPEN_APPROVALS_OF_TASK).all(seq)) {
    const comment = facts.error === null ? 'the task went on' : `the task ended: ${facts.error.code}`;
    tx.db.statement(END_APPROVAL).run('withdrawn', 'master', at, comment, id);
    tx.effects.approvals.push(id);
  }
}
