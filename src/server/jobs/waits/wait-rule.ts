import type { WorkflowNode } from '../../../contract/definition.ts';
import type { WaitKind, WaitTimeout } from '../../../contract/vocabulary.ts';

/** What a wait node waits for, as its definition says; texts with expressions are filled in by a worker. */
export interface WaitRule {
  readonly for: WaitKind;
  /** The node as people call it. */
  readonly label: string;
  /** Of a time; null: `until` says when it is over. */
  readonly seconds: number | null;
  /** Of a signal. */
  readonly name: string;
  /** Deadline of a signal or an approval in seconds; null: the limit `waitDays`. */
  readonly timeoutSeconds: number | null;
  readonly onTimeout: WaitTimeout;
  /** A rejection fails the task. */
  readonly failsOnReject: boolean;
  readonly form: Readonly<Record<string, unknown>> | null;
  readonly approvers: { readonly roles: readonly string[]; readonly people: readonly string[] } | null;
  readonly remindSeconds: number | null;
}

interface WaitConfig {
  for: WaitKind;
  seconds?: number;
  name?: string;
  timeoutSeconds?: number;
  onTimeout?: WaitTimeout;
  onReject?: 'fail' | 'continue';
  form?: Record<string, unknown>;
  approvers?: { roles?: string[]; people?: string[] };
  remindSeconds?: number;
}

/** `label`: the name of the node, or its ID. `runTimeoutSeconds` of the node is its deadline where its config names none. Null: it is no wait node. */
export function waitRule(
  id: string,
  label: string,
  { type, config = {}, runTimeoutSeconds }: Pick<WorkflowNode, 'type' | 'config' | 'runTimeoutSeconds'>,
): WaitRule | null {
  if (type !== 'wait') return null;
  // Checked when the version was saved.
  const known = config as unknown as WaitConfig;
  return {
    for: known.for,
    label,
    seconds: known.seconds ?? null,
    name: known.name ?? id,
    timeoutSeconds: known.timeoutSeconds ?? runTimeoutSeconds ?? null,
    onTimeout: known.onTimeout ?? 'fail',
    failsOnReject: known.onReject !== 'continue',
    form: known.form ?? null,
    approvers: known.approvers ? { roles: known.approvers.roles ?? [], people: known.approvers.people ?? [] } : null,
    remindSeconds: known.remindSeconds ?? null,
  };
}
