import type { Definition } from '../../../../contract/definition.ts';
import type { Point } from '../definition/edits.ts';

/** The edits of what only people see: notes, and frames around nodes. */
type Canvas = NonNullable<Definition['canvas']>;
export type CanvasNote = NonNullable<Canvas['notes']>[number];
export type CanvasGroup = NonNullable<Canvas['groups']>[number];

export const canvasNotes = (definition: Definition): readonly CanvasNote[] => definition.canvas?.notes ?? [];
export const canvasGroups = (definition: Definition): readonly CanvasGroup[] => definition.canvas?.groups ?? [];

function freshIn(ids: readonly { id: string }[], word: string): string {
  const taken = new Set(ids.map(({ id }) => id));
  for (let n = 1; ; n++) if (!taken.has(`${word}-${n}`)) return `${word}-${n}`;
}

/** A definition without notes and groups has no `canvas`, as one that never had any. */
function withCanvas(definition: Definition, notes: readonly CanvasNote[], groups: readonly CanvasGroup[]): Definition {
  const { canvas: _canvas, ...rest } = definition;
  if (notes.length === 0 && groups.length === 0) return rest;
  return {
    ...rest,
    canvas: {
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
      ...(groups.length === 0 ? {} : { groups: [...groups] }),
    },
  };
}

export function addNote(definition: Definition, text: string, { x, y }: Point): { definition: Definition; id: string } {
  const id = freshIn(canvasNotes(definition), 'note');
  return {
    id,
    definition: withCanvas(
      definition,
      [...canvasNotes(definition), { id, text, position: { x: Math.round(x), y: Math.round(y) } }],
      canvasGroups(definition),
    ),
  };
}
export const setNote = (
  definition: Definition,
  id: string,
  change: Partial<Pick<CanvasNote, 'text' | 'position'>>,
): Definition =>
  withCanvas(
    definition,
    canvasNotes(definition).map((note) => (note.id === id ? { ...note, ...change } : note)),
    canvasGroups(definition),
  );
export const removeNotes = (definition: Definition, ids: ReadonlySet<string>): Definition =>
  canvasNotes(definition).some((note) => ids.has(note.id))
    ? withCanvas(
        definition,
        canvasNotes(definition).filter((note) => !ids.has(note.id)),
        canvasGroups(definition),
      )
    : definition;

/** Puts nodes into a group of their own. A node is in one group at most: it leaves the one it was in. */
export function group(
  definition: Definition,
  ids: ReadonlySet<string>,
  name: string,
): { definition: Definition; id: string } {
  const id = freshIn(canvasGroups(definition), 'group');
  const others = canvasGroups(definition).map((one) => ({ ...one, nodes: one.nodes.filter((node) => !ids.has(node)) }));
  const nodes = definition.nodes.filter((node) => ids.has(node.id)).map((node) => node.id);
  return {
    id,
    definition: withCanvas(
      definition,
      canvasNotes(definition),
      [...others, { id, name, nodes }].filter((one) => one.nodes.length > 0),
    ),
  };
}
export const ungroup = (definition: Definition, ids: ReadonlySet<string>): Definition =>
  withCanvas(
    definition,
    canvasNotes(definition),
    canvasGroups(definition).filter((one) => !ids.has(one.id)),
  );
export const renameGroup = (definition: Definition, id: string, name: string): Definition =>
  withCanvas(
    definition,
    canvasNotes(definition),
    canvasGroups(definition).map((one) => (one.id === id ? { ...one, name } : one)),
  );
