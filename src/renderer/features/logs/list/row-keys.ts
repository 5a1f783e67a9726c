export interface RowKeys {
  /** The key of each line from `from` to before `to`. `alike`: nobody holds on to an element, so that any line may take any. */
  of(from: number, to: number, alike: boolean): (number: number) => number;
}

/**
 * Keys by which the elements of lines that leave the view are taken for those that come into it, so that scrolling and
 * following make none. A line that stays keeps its element; where few of them stay, all are written anew in their order,
 * which costs less than to move most of them.
 */
export function createRowKeys(): RowKeys {
  let keys = new Map<number, number>();
  return {
    of(from, to, alike) {
      let stay = 0;
      for (const number of keys.keys()) if (number >= from && number < to) stay++;
      const keep = alike ? stay * 2 >= to - from : stay > 0;
      const next = new Map<number, number>();
      const taken = new Set<number>();
      if (keep)
        for (const [number, key] of keys)
          if (number >= from && number < to) {
            next.set(number, key);
            taken.add(key);
          }
      let free = 0;
      for (let number = from; number < to; number++) {
        if (next.has(number)) continue;
        while (taken.has(free)) free++;
        next.set(number, free++);
      }
      keys = next;
      return (number) => next.get(number) ?? 0;
    },
  };
}
