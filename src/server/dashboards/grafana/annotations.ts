import { parseTemplate } from '../../../lib/template.ts';

const EXPRESSION = /^\$(value|labels)(?:\.([a-zA-Z_][a-zA-Z0-9_.]*))?\s*(?:\|\s*([a-z]+))?$/;
/** The number that the threshold looks at: `$value` of Grafana is a text of all of them. */
const VALUE = '.Values.B.Value';
const FORMATS: Readonly<Record<string, string>> = {
  round: `{{ printf "%.0f" ${VALUE} }}`,
  percent: `{{ humanizePercentage ${VALUE} }}`,
  bytes: `{{ humanize1024 ${VALUE} }}B`,
  seconds: `{{ humanizeDuration ${VALUE} }}`,
};

/** A text of a rule in the language of Grafana. It has no `$`, which its provisioning files would take for variables of the environment. */
export const grafanaAnnotation = (text: string): string =>
  parseTemplate(text)
    .map((piece) => {
      if ('text' in piece) return piece.text;
      const [, root, path, format] = EXPRESSION.exec(piece.expression) ?? [];
      if (root === 'labels' && path !== undefined) return `{{ index .Labels "${path}" }}`;
      return root === 'value' ? (FORMATS[format ?? ''] ?? `{{ ${VALUE} }}`) : '-';
    })
    .join('');
