/** The same call as text for a terminal, a browser and a script. The key is never written out: clients take it from their environment. */
export interface EventCall {
  /** Origin and path, such as `http://127.0.0.1:8700/api/v1/events/greet/dev`. */
  readonly url: string;
  /** JSON text of the array. */
  readonly body: string;
  readonly async: boolean;
}

export type SnippetLanguage = 'curl' | 'fetch' | 'python';
export const SNIPPETS: readonly { language: SnippetLanguage; label: string }[] = [
  { language: 'curl', label: 'curl' },
  { language: 'fetch', label: 'fetch' },
  { language: 'python', label: 'Python' },
];

export function codeSnippet(language: SnippetLanguage, call: EventCall): string {
  if (language === 'curl') return curl(call);
  return language === 'fetch' ? fetchCall(call) : python(call);
}

/** In a shell a single-quoted text has no escapes: its quotes are put in between. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The line that gives a shell the key which the snippets take. */
export const keyLine = (key: string): string => `export YARDMASTER_API_KEY=${shellQuote(key)}`;

function curl({ url, body, async }: EventCall): string {
  const lines = [
    'curl -sS -X POST',
    shellQuote(url),
    `-H "api-key: $YARDMASTER_API_KEY"`,
    `-H 'content-type: application/json'`,
    ...(async ? [`-H 'prefer: respond-async'`] : []),
    `--data-binary ${shellQuote(compact(body))}`,
  ];
  return lines.join(' \\\n  ');
}

function fetchCall({ url, body, async }: EventCall): string {
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: 'POST',`,
    `  headers: {`,
    `    'api-key': process.env.YARDMASTER_API_KEY,`,
    `    'content-type': 'application/json',`,
    ...(async ? [`    prefer: 'respond-async',`] : []),
    `  },`,
    `  body: ${JSON.stringify(compact(body))},`,
    `});`,
    `if (!response.ok) throw new Error(await response.text());`,
    `console.log(await response.json());`,
  ].join('\n');
}

/** A JSON string literal is a Python one too, but for surrogates written apart, which `JSON.stringify` never makes of whole pairs. */
function python({ url, body, async }: EventCall): string {
  return [
    'import os',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    data=${JSON.stringify(compact(body))}.encode(),`,
    '    headers={',
    `        "api-key": os.environ["YARDMASTER_API_KEY"],`,
    `        "content-type": "application/json",`,
    ...(async ? [`        "prefer": "respond-async",`] : []),
    '    },',
    '    method="POST",',
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.read().decode())',
  ].join('\n');
}

/** White space between tokens taken out; numbers keep their spelling, which parsing and writing would not. */
export function compact(json: string): string {
  let out = '';
  for (let at = 0; at < json.length; at++) {
    const c = json.charAt(at);
    if (c === '"') {
      let end = at + 1;
      while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
      out += json.slice(at, end + 1);
      at = end;
    } else if (!' \t\n\r'.includes(c)) out += c;
  }
  return out;
}
