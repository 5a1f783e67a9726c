/** A place that was gone to by hand. */
export interface RecentPage {
  readonly label: string;
  readonly hint: string;
  readonly path: string;
}

const KEY = 'yardmaster.recent';
const MOST = 8;

/** The last places gone to from the palette, newest first, kept by this browser for this master. Storage may be absent or full. */
export function createRecent(storage: Pick<Storage, 'getItem' | 'setItem'> | null) {
  let places = read(storage);
  return {
    list: (): readonly RecentPage[] => places,
    add(place: RecentPage): void {
      places = [place, ...places.filter(({ path }) => path !== place.path)].slice(0, MOST);
      try {
        storage?.setItem(KEY, JSON.stringify(places));
      } catch {
        // They last for this window.
      }
    },
  };
}

function read(storage: Pick<Storage, 'getItem'> | null): readonly RecentPage[] {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(KEY) ?? '[]');
    return Array.isArray(kept)
      ? kept
          .filter(
            (place): place is RecentPage =>
              typeof place?.label === 'string' &&
              typeof place.hint === 'string' &&
              typeof place.path === 'string' &&
              /^\/(?!\/)/.test(place.path),
          )
          .slice(0, MOST)
      : [];
  } catch {
    return [];
  }
}
