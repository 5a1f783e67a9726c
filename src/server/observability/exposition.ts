import type { Sample } from './port.ts';

/** Text format 0.0.4. Samples of one name stand together under one HELP and TYPE; names of counters end in `_total`. */
export function formatExposition(samples: readonly Sample[]): string {
  const families = Map.groupBy(samples, ({ name }) => name);
  let text = '';
  for (const [name, [first, ...more]] of families) {
    if (!first) continue;
    text += `# HELP ${name} ${first.help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${first.type}\n`;
    for (const { labels = {}, value } of [first, ...more])
      text += `${name}${labelsText(labels)} ${numberText(value)}\n`;
  }
  return text;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${key}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const numberText = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? '+Inf' : value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
