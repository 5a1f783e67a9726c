import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  integrity?: string;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  libc?: string[];
}

/** Who asks for what in vain: `npm ci` refuses a lock file that lacks a package, be it one for another system alone. */
function lacking(packages: Record<string, Entry>): string[] {
  const found = (name: string, from: string): boolean => {
    // As Node looks for it: in the folder of who asks, then upwards.
    if (`${from}${from === '' ? '' : '/'}node_modules/${name}` in packages) return true;
    return (
      from !== '' &&
      found(name, from.includes('/node_modules/') ? from.slice(0, from.lastIndexOf('/node_modules/')) : '')
    );
  };
  return Object.entries(packages).flatMap(([from, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !found(name, from))
      .map((name) => `${from}: ${name}`),
  );
}

test.each(['package-lock.json', 'packaging/package-lock.json'])(
  '%s holds the packages of every system, with their sums and no host',
  (file) => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };
    expect(lacking(packages)).toEqual([]);
    const { '': _own, ...others } = packages;
    expect(Object.keys(others).length).toBeGreaterThan(100);
    expect(
      Object.entries(others).filter(
        ([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined,
      ),
    ).toEqual([]);
  },
);

test('npm 10 and npm 11 leave the lock file as it is: it holds nothing that one of them drops', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> };
  // npm 10 writes it anew without them. Without them Linux has the binaries of both C libraries, about 50 MB more.
  expect(Object.entries(packages).filter(([, { libc }]) => libc !== undefined)).toEqual([]);
});
