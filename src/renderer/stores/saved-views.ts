/** A view that someone gave a name: the search parameters of a page. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

const MOST = 50;

/**
 * Named views of one page, kept by this browser for this master: every connection has an origin of its own, and with it
 * a storage of its own. Storage may be absent or full: views then last for this window.
 */
export function createSavedViews(storage: Pick<Storage, 'getItem' | 'setItem'> | null, page: string) {
  const key = `yardmaster.views.${page}`;
  let views = read(storage, key);
  const keep = (next: readonly SavedView[]): readonly SavedView[] => {
    views = next;
    try {
      storage?.setItem(key, JSON.stringify(next));
    } catch {
      // They last for this window.
    }
    return views;
  };
  return {
    list: (): readonly SavedView[] => views,
    /** Replaces a view of the same name; the oldest goes where there would be too many. */
    save: (name: string, search: Readonly<Record<string, unknown>>): readonly SavedView[] =>
      keep([...views.filter((view) => view.name !== name), { name, search }].slice(-MOST)),
    remove: (name: string): readonly SavedView[] => keep(views.filter((view) => view.name !== name)),
  };
}

function read(storage: Pick<Storage, 'getItem'> | null, key: string): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(key) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept
      .filter(
        (view): view is SavedView =>
          typeof view?.name === 'string' && view.search !== null && typeof view.search === 'object',
      )
      .slice(-MOST);
  } catch {
    return [];
  }
}
