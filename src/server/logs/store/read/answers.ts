/** What search filters said of blocks, by term: a block and its filter never change. */
export interface Answers {
  /** Those of one term; what is asked for most lately stays. */
  of(term: string): TermAnswers;
  clear(): void;
}

export interface TermAnswers {
  /** Undefined: it is not known. */
  get(block: number): boolean | undefined;
  set(block: number, may: boolean): void;
}

/** Blocks of a page, which has a byte for each. */
const PAGE_BLOCKS = 1024;
const UNKNOWN = 0;
const MAY = 1;
const NOT = 2;

/** `most`: bytes of all terms together; those asked for longest ago go first. */
export function createAnswers(most: number): Answers {
  const terms = new Map<string, Map<number, Uint8Array>>();
  let bytes = 0;
  const sizeOf = (term: string, pages: ReadonlyMap<number, Uint8Array>) => term.length * 2 + pages.size * PAGE_BLOCKS;

  function trim(): void {
    for (const [term, pages] of terms) {
      if (bytes <= most) break;
      terms.delete(term);
      bytes -= sizeOf(term, pages);
    }
  }

  return {
    of(term) {
      const pages = terms.get(term) ?? new Map<number, Uint8Array>();
      if (terms.delete(term)) bytes -= sizeOf(term, pages);
      terms.set(term, pages);
      bytes += sizeOf(term, pages);
      trim();
      return {
        get(block) {
          const said = pages.get(Math.floor(block / PAGE_BLOCKS))?.[block % PAGE_BLOCKS] ?? UNKNOWN;
          return said === UNKNOWN ? undefined : said === MAY;
        },
        set(block, may) {
          const n = Math.floor(block / PAGE_BLOCKS);
          let page = pages.get(n);
          if (page === undefined) {
            page = new Uint8Array(PAGE_BLOCKS);
            pages.set(n, page);
            if (terms.get(term) === pages) {
              bytes += PAGE_BLOCKS;
              trim();
            }
          }
          page[block % PAGE_BLOCKS] = may ? MAY : NOT;
        },
      };
    },
    clear() {
      terms.clear();
      bytes = 0;
    },
  };
}
