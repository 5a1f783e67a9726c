const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Behind the closing quote of the JSON text that opens at `at`; the end where it is not closed. */
export function textEnd(json: string, at: number): number {
  for (let end = json.indexOf('"', at + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return json.length;
}

/** True where the JSON text that ends before `end` is the name of a member. */
export function isNameBefore(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at++;
  return json.charCodeAt(at) === COLON;
}
