import { valueAt } from '../../../../lib/item-at.ts';
import type { Definition, WorkflowEdge } from '../../../../contract/definition.ts';
import { t, tn } from '../../../../lib/language.ts';
import type { EditorSession } from '../draft/session.ts';
import { rewriteInLayout } from '../../../ui/json-text/rewrite.ts';
import { type Parsed, scanJson } from '../../../ui/json-text/scan.ts';
import {
  addNote,
  group,
  canvasGroups,
  canvasNotes,
  removeNotes,
  renameGroup,
  setNote,
  ungroup,
} from './canvas-edits.ts';
import { copyToClip, paste, readClip } from './clipboard.ts';
import { canInsertIntoEdge, whyNotAdd, whyNotConnect } from './connect-rules.ts';
import { type Draft, readDraft } from './draft.ts';
import {
  addNode,
  type After,
  connect,
  edgeKey,
  clearPositions,
  moveNodes,
  insertIntoEdge,
  reconnect,
  removeEdges,
  removeNodes,
  type Point,
} from '../definition/edits.ts';
import { afterSlash, frameFlowId, noteFlowId } from './flow.ts';
import { makeRoom } from '../definition/make-room.ts';
import { freePosition, nodePositions } from '../definition/positions.ts';

export interface BuilderParts {
  readonly session: Pick<EditorSession, 'store' | 'edit' | 'undo' | 'redo'>;
  /** Says why something was not done. */
  readonly refuse: (reason: string) => void;
  /** Says what was done, where the canvas alone would not tell. */
  readonly tell: (what: string) => void;
  /** Selects nodes, notes and frames by their ids on the canvas, once they are there. */
  readonly select: (flowIds: readonly string[]) => void;
}

/** Nodes up to which a nudge is written at once. The text of more takes as long to write as they take to move: it is written once they have moved. */
const AT_ONCE = 50;

export interface CanvasSelection {
  /** Ids on the canvas: of nodes, notes and frames. */
  readonly flowIds: readonly string[];
  /** Keys of edges. */
  readonly edges: readonly string[];
}

/** All that canvas, outline and forms do to a draft. Each act reads the newest text, changes it, and is one step of the history. */
export function createBuilder({ session, refuse, tell, select }: BuilderParts) {
  const textNow = () => session.store.getState().text;
  /** The draft of the newest text that was read; an act leaves here what it made, so that nothing is parsed twice. */
  let cache: { text: string; draft: Draft; isOurs?: boolean } | null = null;
  const peek = (text: string): Draft | null => (cache?.text === text ? cache.draft : null);
  const readText = (text: string, parsed?: Parsed): Draft => {
    if (cache?.text !== text) cache = { text, draft: readDraft(text, parsed ?? scanJson(text)) };
    return cache.draft;
  };

  /** Places of a nudge that are still to be written. Whatever is done next writes them first. */
  let due: { readonly places: Map<string, Point>; readonly timer: ReturnType<typeof setTimeout> } | null = null;
  function settle(): void {
    if (due === null) return;
    const { places, timer } = due;
    clearTimeout(timer);
    due = null;
    write(places, true);
  }

  /** `change` gives the same definition, or null, where there is nothing to do. `kind`: acts of one kind that follow each other are one step. */
  function apply(label: string, change: (definition: Definition) => Definition | null, kind?: string): boolean {
    settle();
    const text = textNow();
    const { definition, fault } = readText(text);
    if (definition === null) {
      refuse(t('Could not parse the text: {fault}', { fault }));
      return false;
    }
    const next = change(definition);
    if (next === null || next === definition) return false;
    const written = rewriteInLayout(text, next, cache?.isOurs, definition);
    cache = { text: written.text, isOurs: written.isOurs, draft: { definition: next, fault: null } };
    session.edit(written.text, label, kind);
    return true;
  }

  const now = (): Definition | null => {
    settle();
    return readText(textNow()).definition;
  };
  function write(places: ReadonlyMap<string, Point>, isNudge: boolean): void {
    apply(
      t('Move'),
      (definition) => {
        const notes = canvasNotes(definition).filter((note) => places.has(noteFlowId(note.id)));
        return notes.reduce(
          (so, note) => {
            const { x, y } = valueAt(places, noteFlowId(note.id));
            return setNote(so, note.id, { position: { x: Math.round(x), y: Math.round(y) } });
          },
          moveNodes(definition, places),
        );
      },
      isNudge ? 'nudge' : undefined,
    );
  }
  const hasPlaces = (definition: Definition): boolean => definition.nodes.some((node) => node.position);
  const stepIds = (definition: Definition, { flowIds }: CanvasSelection): Set<string> => {
    const known = new Set(definition.nodes.map((node) => node.id));
    return new Set(flowIds.filter((id) => known.has(id)));
  };
  const idsWith = (flowIds: readonly string[], flowId: (id: string) => string): Set<string> =>
    new Set(flowIds.filter((id) => id.includes('/') && flowId(afterSlash(id)) === id).map(afterSlash));

  const builder = {
    peek,
    readText,
    apply,
    undo: () => (settle(), session.undo()),
    redo: () => (settle(), session.redo()),

    /** `at`: where it was dropped; without it, it goes where there is room. `after`: the node that it comes after. Answers its id. */
    add(type: string, { at, after }: { at?: Point | undefined; after?: After | undefined } = {}): string | null {
      let made: string | null = null;
      apply(t('Add {type}', { type }), (definition) => {
        const why =
          whyNotAdd(definition, type) ??
          (after && type === 'input'
            ? t("The input node can't have incoming edges: its input comes from the call.")
            : null);
        if (why !== null) return (refuse(why), null);
        const free = () =>
          hasPlaces(definition) ? freePosition(nodePositions(definition), after?.from ?? null) : undefined;
        const isBetween = after?.between === true;
        const added = addNode(definition, type, { position: isBetween ? undefined : (at ?? free()), after });
        made = added.id;
        return isBetween ? makeRoom(definition, added.definition, added.id, at) : added.definition;
      });
      if (made !== null) select([made]);
      return made;
    },

    connect(edge: WorkflowEdge): boolean {
      return apply(t('Connect'), (definition) => {
        const why = whyNotConnect(definition, edge);
        if (why === null) return connect(definition, edge);
        refuse(why);
        return null;
      });
    },
    reconnect(old: WorkflowEdge, edge: WorkflowEdge): void {
      apply(t('Reconnect edge'), (definition) => {
        const why = edgeKey(old) === edgeKey(edge) ? null : whyNotConnect(definition, edge, old);
        if (why === null) return reconnect(definition, old, edge);
        refuse(why);
        return null;
      });
    },

    /** Notes go, frames are taken off, nodes go with their edges. */
    remove(chosen: CanvasSelection): boolean {
      return apply(t('Delete'), (definition) => {
        const [notes, frames] = [idsWith(chosen.flowIds, noteFlowId), idsWith(chosen.flowIds, frameFlowId)];
        const left = removeEdges(removeNodes(definition, stepIds(definition, chosen)), new Set(chosen.edges));
        const unframed =
          frames.size > 0 && canvasGroups(left).some((one) => frames.has(one.id)) ? ungroup(left, frames) : left;
        return removeNotes(unframed, notes);
      });
    },

    /** Writes the places that nodes and notes were brought to. `isNudge`: by arrow keys, many of which are one step. */
    move(places: ReadonlyMap<string, Point>, isNudge: boolean): void {
      if (!isNudge || places.size <= AT_ONCE) return write(places, isNudge);
      if (due) for (const [id, place] of places) due.places.set(id, place);
      else due = { places: new Map(places), timer: setTimeout(settle) };
    },

    /** Brings a node to a place, and puts it between the two nodes of an edge there: one step. */
    putInto(id: string, place: Point, edge: WorkflowEdge): void {
      apply(t('Insert between {from} and {to}', { from: edge.from, to: edge.to }), (definition) => {
        return canInsertIntoEdge(definition, id, edge)
          ? makeRoom(definition, insertIntoEdge(definition, id, edge), id, place)
          : moveNodes(definition, new Map([[id, place]]));
      });
    },

    arrange(): void {
      if (!apply(t('Auto-layout'), clearPositions)) tell(t('All nodes are already laid out automatically.'));
    },

    /** The text for the clipboard, or null where no node is chosen. */
    copy(chosen: CanvasSelection): string | null {
      const definition = now();
      const ids = definition ? stepIds(definition, chosen) : new Set<string>();
      return definition && ids.size > 0
        ? JSON.stringify(copyToClip(definition, ids, nodePositions(definition)), null, 2)
        : null;
    },

    /** False: there were no nodes in it. */
    paste(text: string, at?: Point, label = t('Paste')): boolean {
      const clip = readClip(text);
      if (!clip) return false;
      let made: string[] = [];
      let isLeftOut = false;
      apply(label, (definition) => {
        const nodes = clip.nodes.filter((node) => whyNotAdd(definition, node.type) === null);
        isLeftOut = nodes.length < clip.nodes.length;
        if (nodes.length === 0) return null;
        const pasted = paste(
          definition,
          { ...clip, nodes },
          hasPlaces(definition) ? (at ?? freePosition(nodePositions(definition), null)) : undefined,
        );
        made = pasted.ids;
        return pasted.definition;
      });
      select(made);
      if (isLeftOut) refuse(t('The input node was not pasted: a workflow can have only one.'));
      return true;
    },
    duplicate(chosen: CanvasSelection): void {
      const definition = now();
      const text = builder.copy(chosen);
      if (!definition || text === null) return;
      const places = nodePositions(definition);
      const spots = [...stepIds(definition, chosen)].flatMap((id) => places.get(id) ?? []);
      builder.paste(
        text,
        { x: Math.min(...spots.map((spot) => spot.x)) + 32, y: Math.min(...spots.map((spot) => spot.y)) + 96 },
        t('Duplicate'),
      );
    },

    group(chosen: CanvasSelection): void {
      apply(tn('Group {count} node', 'Group {count} nodes', chosen.flowIds.length), (definition) => {
        const ids = stepIds(definition, chosen);
        if (ids.size > 0) return group(definition, ids, t('Group')).definition;
        refuse(t('Select the nodes to group first.'));
        return null;
      });
    },
    renameGroup: (id: string, name: string): void =>
      void apply(t('Name group'), (definition) => renameGroup(definition, id, name), `group ${id}`),
    addNote(at: Point): void {
      let made = '';
      apply(t('Add note'), (definition) => {
        const added = addNote(definition, t('Note'), at);
        made = noteFlowId(added.id);
        return added.definition;
      });
      select([made]);
    },
    setNoteText: (id: string, text: string): void =>
      void apply(t('Edit note'), (definition) => setNote(definition, id, { text }), `note ${id}`),
  };
  return builder;
}
export type Builder = ReturnType<typeof createBuilder>;
