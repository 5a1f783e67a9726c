import { expect, it } from 'vitest';
import type { Job } from '../../../../contract/jobs.ts';
import { firstSuggestions } from './use-suggestions.ts';

const one = (id: string, why: string) => ({ job: { id } as Job, why });

it('gives each once those before it are known, so that none changes its place', () => {
  const [source, success, version] = [one('a', 'source'), one('b', 'success'), one('c', 'version')];
  expect(firstSuggestions(['pending', success, version])).toEqual({ suggestions: [], isPending: true });
  expect(firstSuggestions([source, 'pending', version])).toEqual({ suggestions: [source], isPending: true });
  expect(firstSuggestions([null, success, 'pending'])).toEqual({ suggestions: [success], isPending: true });
  expect(firstSuggestions([source, success, null])).toEqual({ suggestions: [source, success], isPending: false });
});

it('gives a job that is worth it for two reasons once, with both', () => {
  expect(firstSuggestions([one('a', 'source'), one('a', 'success')]).suggestions).toEqual([
    one('a', 'source · success'),
  ]);
});
