import { expect, it } from 'vitest';
import { BUILT_IN_RULES } from '../../alerts/built-in.ts';
import { grafanaAnnotation } from './annotations.ts';

it.each([
  [
    '{{ $value | percent }} of {{ $labels.workflow_id }}',
    '{{ humanizePercentage .Values.B.Value }} of {{ index .Labels "workflow_id" }}',
  ],
  ['{{$value}} and {{ $value | round }}', '{{ .Values.B.Value }} and {{ printf "%.0f" .Values.B.Value }}'],
  [
    '{{ $value | seconds }}, {{ $value | bytes }}',
    '{{ humanizeDuration .Values.B.Value }}, {{ humanize1024 .Values.B.Value }}B',
  ],
  ['plain { text }', 'plain { text }'],
])('%s', (text, theirs) => expect(grafanaAnnotation(text)).toBe(theirs));

it('translates every text of the built-in rules', () => {
  for (const { annotations } of Object.values(BUILT_IN_RULES))
    for (const text of Object.values(annotations)) expect(grafanaAnnotation(String(text))).not.toMatch(/\$|- \}|\| /);
});
