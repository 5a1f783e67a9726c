import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

/** Copies of a folder, each with one file damaged as disks do it. */
export interface DamagedFiles {
  /** As it is. */
  copied(): string;
  /** Each of these calls `check` with a copy, `runs` times with other damage (YARDMASTER_DAMAGE_RUNS: so often instead). */
  flipBits(runs: number, check: (folder: string) => void): void;
  cutFiles(runs: number, check: (folder: string) => void): void;
  /** Two pages of a file change places. */
  swapPages(pageBytes: number, runs: number, check: (folder: string) => void): void;
}

const runsOf = (runs: number) => ({ numRuns: Number(process.env['YARDMASTER_DAMAGE_RUNS'] ?? runs) });

export function damagedFiles(whole: string): DamagedFiles {
  const names = readdirSync(whole, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(whole, name)).isFile(),
  );
  const file = fc.constantFrom(...names);
  function copied(): string {
    const folder = temporaryFolder('damaged');
    cpSync(whole, folder, { recursive: true });
    return folder;
  }
  function damage(name: string, change: (path: string) => void, check: (folder: string) => void): void {
    const folder = copied();
    change(join(folder, name));
    check(folder);
    rmSync(folder, { recursive: true });
  }
  const rewrite = (change: (data: Buffer) => void) => (path: string) => {
    const data = readFileSync(path);
    change(data);
    writeFileSync(path, data);
  };

  return {
    copied,
    flipBits(runs, check) {
      const flip = (where: number) => (data: Buffer) => {
        const bit = where % (data.length * 8);
        data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      };
      const property = fc.property(file, fc.nat(), (name, where) => damage(name, rewrite(flip(where)), check));
      fc.assert(property, runsOf(runs));
    },
    cutFiles(runs, check) {
      const cut = (share: number) => (path: string) => truncateSync(path, Math.floor(statSync(path).size * share));
      const property = fc.property(file, fc.double({ min: 0, max: 1, noNaN: true }), (name, share) =>
        damage(name, cut(share), check),
      );
      fc.assert(property, runsOf(runs));
    },
    swapPages(pageBytes, runs, check) {
      const swap = (i: number, j: number) => (data: Buffer) => {
        const pages = Math.floor(data.length / pageBytes);
        if (pages === 0) return;
        const [a, b] = [(i % pages) * pageBytes, (j % pages) * pageBytes];
        const page = Buffer.from(data.subarray(a, a + pageBytes));
        data.copy(data, a, b, b + pageBytes);
        page.copy(data, b);
      };
      const property = fc.property(file, fc.nat(), fc.nat(), (name, i, j) => damage(name, rewrite(swap(i, j)), check));
      fc.assert(property, runsOf(runs));
    },
  };
}
