const LABEL = '(?:[a-z0-9\\u{a1}-\\u{ffff}]+-)*[a-z0-9\\u{a1}-\\u{ffff}]+';
/** A name with a dot, or an address that is not private, with a port. */
const PLACE = new RegExp(
  String.raw`^(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|${LABEL}(?:\.${LABEL})*\.[a-z\u{a1}-\u{ffff}]{2,})(?::\d{2,5})?$`,
  'iu',
);
const BEGINNING = /^(?:https?|ftp):\/\//i;

/**
 * The format `url` as ajv-formats has it: `scheme://[anything@]place[/path]`. Its expression tries each `@` with each `:` before
 * it, and takes minutes for eight thousand characters; here each character is looked at a few times.
 */
export function isUrl(text: string): boolean {
  const scheme = BEGINNING.exec(text)?.[0];
  if (scheme === undefined || /\s/.test(text)) return false;
  // No place has an `@`, so one ends before the next, and what is before a place is anything, but not nothing.
  const parts = text.slice(scheme.length).split('@');
  return parts.some((part, i) => {
    if (i === 1 && parts[0] === '') return false;
    const slash = part.indexOf('/');
    if (slash < 0 && i < parts.length - 1) return false;
    return PLACE.test(slash < 0 ? part : part.slice(0, slash));
  });
}
