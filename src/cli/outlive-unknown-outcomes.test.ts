import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { Fault } from '../lib/fault.ts';
import { outliveUnknownOutcomes } from './outlive-unknown-outcomes.ts';

it('goes on where nobody waited for a write whose outcome is not known, and after no other rejection', () => {
  const process = new EventEmitter();
  const said: string[] = [];
  outliveUnknownOutcomes(process, (line) => said.push(line));
  process.emit('unhandledRejection', new Fault('NO_OWNER', 'this master could not make sure of its ownership'));
  expect(said).toEqual([expect.stringContaining('could not make sure of its ownership')]);
  const other = new Error('something else');
  expect(() => process.emit('unhandledRejection', other)).toThrow(other);
  expect(() => process.emit('unhandledRejection', 'a text')).toThrow('a text');
});
