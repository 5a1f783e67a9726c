import { expect, it } from 'vitest';
import { defaultDataFolder } from '../../src/lib/folders.ts';
import { clusterOptions } from './cluster-options.mjs';

const of = (line: string, env: Record<string, string> = {}) => clusterOptions(line.split(' '), env);

it('asks for no cluster unless told to', () => {
  expect(of('--workers 3')).toBeNull();
});

it('is three masters and four workers, in a folder beside the data of a single master', () => {
  const options = of('--cluster');
  expect(options).toMatchObject({ masters: 3, workers: 4, store: null, rest: [] });
  expect(options?.ports[0]).toBe(8700);
  for (const env of [{}, { YARDMASTER_DATA: '/srv/yard' }, { XDG_DATA_HOME: '/home/ada/data' }])
    expect(of('--cluster', env)?.data.toLowerCase()).toBe(`${defaultDataFolder(env)}-cluster`.toLowerCase());
});

it('takes what concerns all of them, and hands the rest to each', () => {
  expect(of('--capacity 2 --cluster 5 --workers=9 --port 9000 --data /tmp/x --durability full')).toEqual({
    masters: 5,
    workers: 9,
    store: null,
    data: '/tmp/x',
    ports: [9000],
    rest: ['--capacity', '2', '--durability', 'full'],
  });
});

it('takes a PostgreSQL that is named, also by the environment, where no password is in the process list', () => {
  expect(of('--cluster --store postgres://db/yard')?.store).toBe('postgres://db/yard');
  expect(of('--cluster', { YARDMASTER_STORE: 'postgresql://db/yard' })?.store).toBe('postgresql://db/yard');
});

it.each([
  ['--cluster 0', '--cluster expects a number from 1 to 9, got "0"'],
  ['--cluster 10', '--cluster expects a number from 1 to 9'],
  ['--cluster --workers many', '--workers expects a number'],
  ['--cluster --data', '--data needs a value'],
  ['--cluster --store sqlite', 'expected --store postgres://…, got "sqlite"'],
  ['--cluster --tls-cert a.pem', '--tls-cert is not for masters that npm start puts behind a balancer'],
  ['--cluster --logstash-port 9000', '--logstash-port would be the same port for every master'],
])('%s: %s', (line, words) => {
  expect(() => of(line)).toThrow(words);
});
