/** Which panes stand beside the canvas: the palette with the outline, and the form of what is chosen. */
export interface Panes {
  readonly palette: boolean;
  readonly form: boolean;
}

/** How wide the window is: `narrow`, the form covers half of the canvas; `stacked`, it stands below it. */
export type PanesRoom = 'stacked' | 'narrow' | 'small' | 'wide';

/** What was chosen since the page was opened, beside what the browser keeps. */
export interface PanesVisit {
  /** The form was opened or folded in a narrow window. */
  readonly form?: boolean;
  /** The graph had no room beside the form. */
  readonly gaveWay?: boolean;
}

/**
 * Panes as they were left. Where there is little room the palette is folded at first, and a form that would cover half of the
 * canvas is shown only when it is asked for.
 */
export function shownPanes(kept: Partial<Panes>, { form, gaveWay = false }: PanesVisit, room: PanesRoom): Panes {
  return {
    palette: kept.palette ?? room === 'wide',
    form: room === 'narrow' ? (form ?? false) : (kept.form ?? true) && !gaveWay,
  };
}

/** What a choice changes: what the browser keeps, and what holds until the page is left. */
export function chosenPanes(change: Partial<Panes>, room: PanesRoom): { keeps: Partial<Panes>; visit: PanesVisit } {
  const { form, ...rest } = change;
  if (form === undefined) return { keeps: rest, visit: {} };
  // A narrow window says nothing of what is wanted in a wide one.
  if (room === 'narrow') return { keeps: rest, visit: { form } };
  return { keeps: change, visit: { gaveWay: false } };
}
