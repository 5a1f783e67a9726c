/** In the order in which they are told apart: each names those before it, too. */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
  ['Yardmaster', /Yardmaster\/(\d+)/i],
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+).*Safari/],
];
const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/],
];

/** `Firefox 140, Linux` for what a browser calls itself; what is none keeps its name. */
export function browserName(userAgent: string): string {
  const [browser, version] = BROWSERS.find(([, mark]) => mark.test(userAgent)) ?? [];
  if (browser === undefined) return userAgent;
  const system = SYSTEMS.find(([, mark]) => mark.test(userAgent))?.[0];
  return [`${browser} ${version?.exec(userAgent)?.[1] ?? ''}`, system].filter(Boolean).join(', ');
}
