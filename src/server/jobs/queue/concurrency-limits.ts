import type { JobRecord } from '../engine/records.ts';

/** A limit on the tasks that run at once of one workflow or one API key. */
export interface Gate {
  readonly scope: 'workflow' | 'key';
  /** The workflow's id, or the number of the key. */
  readonly id: string | number;
  /** For people. */
  name: string;
  most: number;
  /** Tasks of it that are with workers now. */
  used: number;
}

type Gated = Pick<JobRecord, 'plan' | 'keySeq'>;

/** The limits in force. Most masters have none, and then nothing is looked up. */
export interface Gates {
  readonly any: boolean;
  /** Those that a job's tasks have to pass. */
  of(job: Gated): readonly Gate[];
  named(workflowId: string, keySeq: number | null): readonly Gate[];
  find(scope: Gate['scope'], id: string | number): Gate | undefined;
  /** `most` null: no limit any more. `used`: what is with workers now. */
  set(scope: Gate['scope'], id: string | number, name: string, most: number | null, used: number): void;
  took(job: Gated): void;
  gave(job: Gated): void;
}

const NONE: readonly Gate[] = [];

export function createGates(): Gates {
  const workflows = new Map<string | number, Gate>();
  const keys = new Map<string | number, Gate>();
  const gates = {
    any: false,
    of: ({ plan, keySeq }: Gated): readonly Gate[] => (gates.any ? gates.named(plan.workflowId, keySeq) : NONE),
    named(workflowId: string, keySeq: number | null): readonly Gate[] {
      const workflow = workflows.get(workflowId);
      const key = keySeq === null ? undefined : keys.get(keySeq);
      if (!workflow) return key ? [key] : NONE;
      return key ? [workflow, key] : [workflow];
    },
    find: (scope: Gate['scope'], id: string | number) => (scope === 'workflow' ? workflows : keys).get(id),
    set(scope: Gate['scope'], id: string | number, name: string, most: number | null, used: number) {
      const known = scope === 'workflow' ? workflows : keys;
      if (most === null) known.delete(id);
      else known.set(id, { scope, id, name, most, used });
      gates.any = workflows.size + keys.size > 0;
    },
    took(job: Gated) {
      for (const gate of gates.of(job)) gate.used++;
    },
    gave(job: Gated) {
      for (const gate of gates.of(job)) gate.used--;
    },
  };
  return gates;
}

export const isOpen = (gates: readonly Gate[]): boolean => gates.every(({ used, most }) => used < most);
