import type { Definition } from '../../../../contract/definition.ts';
import type { Spot } from '../definition/edits.ts';

/** The edits of what only people see: notes, and frames around nodes. */
type Canvas = NonNullable<Definition['canvas']>;
export type CanvasNote = NonNullable<Canvas['notes']>[number];
export type CanvasGroup = NonNullable<Canvas['groups']>[number];

export const notesOf = (definition: Definition): readonly CanvasNote[] => definition.canvas?.notes ?? [];
export const groupsOf = (definition: Definition): readonly CanvasGroup[] => definition.canvas?.groups ?? [];

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

export function addNote(definition: Definition, text: string, { x, y }: Spot): { definition: Definition; id: string } {
  const id = freshIn(notesOf(definition), 'note');
  return {
    id,
    definition: withCanvas(
      definition,
      [...notesOf(definition), { id, text, position: { x: Math.round(x), y: Math.round(y) } }],
      groupsOf(definition),
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
    notesOf(definition).map((note) => (note.id === id ? { ...note, ...change } : note)),
    groupsOf(definition),
  );
export const removeNotes = (definition: Definition, ids: ReadonlySet<string>): Definition =>
  notesOf(definition).some((note) => ids.has(note.id))
    ? withCanvas(
        definition,
        notesOf(definition).filter((note) => !ids.has(note.id)),
        groupsOf(definition),
      )
    : definition;

/** Puts nodes into a group of their own. A node is in one group at most: it leaves the one it was in. */
export function group(
  definition: Definition,
  ids: ReadonlySet<string>,
  name: string,
): { definition: Definition; id: string } {
  const id = freshIn(groupsOf(definition), 'group');
  const others = groupsOf(definition).map((one) => ({ ...one, nodes: one.nodes.filter((node) => !ids.has(node)) }));
  const nodes = definition.nodes.filter((node) => ids.has(node.id)).map((node) => node.id);
  return {
    id,
    definition: withCanvas(
      definition,
      notesOf(definition),
      [...others, { id, name, nodes }].filter((one) => one.nodes.length > 0),
    ),
  };
}
export const ungroup = (definition: Definition, ids: ReadonlySet<string>): Definition =>
  withCanvas(
    definition,
    notesOf(definition),
    groupsOf(definition).filter((one) => !ids.has(one.id)),
  );
export const renameGroup = (definition: Definition, id: string, name: string): Definition =>
  withCanvas(
    definition,
    notesOf(definition),
    groupsOf(definition).map((one) => (one.id === id ? { ...one, name } : one)),
  );
