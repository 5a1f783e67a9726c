import { expect, test } from 'vitest';
import { refusedSwitch } from './refuse-debugging.ts';

test.each([
  ['--remote-debugging-port=0', '--remote-debugging-port'],
  ['--remote-debugging-port', '--remote-debugging-port'],
  ['-remote-debugging-pipe', '-remote-debugging-pipe'],
  ['--Remote-Debugging-Port=9222', '--Remote-Debugging-Port'],
  ['/inspect=9229', '/inspect'],
  ['--inspect-brk', '--inspect-brk'],
  ['--js-flags=--expose-gc', '--js-flags'],
  ['--disable-web-security', '--disable-web-security'],
  ['--host-resolver-rules=MAP * 127.0.0.1', '--host-resolver-rules'],
  ['--ignore-certificate-errors', '--ignore-certificate-errors'],
])('%s is refused', (word, said) => expect(refusedSwitch(['app', 'x', word])).toBe(said));

test.each([
  [['app']],
  [['app', '--no-sandbox', '--disable-gpu']],
  [['app', 'yardmaster://open/jobs/1']],
  [['app', '/home/ann/inspect']],
  [['app', '--', '--remote-debugging-port=0']],
])('%j starts', (argv) => expect(refusedSwitch(argv)).toBeNull());
