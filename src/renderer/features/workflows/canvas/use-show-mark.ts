import { type Ref, useImperativeHandle } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import type { DefinitionMark } from '../definition/marks.ts';
import { faultSubject } from './faults.ts';
import type { View } from './use-view.ts';

export interface BuilderHandle {
  /** Goes to what a fault is in; false: it is in nothing that is drawn. */
  show(mark: DefinitionMark): boolean;
}

interface MarkParts {
  readonly definition: Definition;
  readonly isNarrow: boolean;
  readonly select: (ids: readonly string[], edges?: readonly string[]) => void;
  readonly selectAndShow: (ids: readonly string[]) => void;
  readonly view: View;
  readonly showForm: () => void;
}

/** Lets who holds `ref` go to the node or the edge of a fault. */
export function useShowMark(
  ref: Ref<BuilderHandle> | undefined,
  { definition, isNarrow, select, selectAndShow, view, showForm }: MarkParts,
): void {
  useImperativeHandle(
    ref,
    () => ({
      show(mark) {
        const subject = faultSubject(definition, mark);
        // Of the workflow itself: its form has the choice, where there is an output node to be chosen.
        if (
          subject === null &&
          mark.pointer === '/output' &&
          !isNarrow &&
          definition.nodes.some((node) => node.type === 'output')
        ) {
          select([]);
          showForm();
          return true;
        }
        if (subject === null) return false;
        if ('node' in subject) selectAndShow([subject.node]);
        else {
          select([], [subject.edge]);
          view.show(JSON.parse(subject.edge)[0] ?? '');
        }
        return true;
      },
    }),
    [definition, select, selectAndShow, view, isNarrow, showForm],
  );
}
