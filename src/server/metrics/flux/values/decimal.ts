/** The shortest decimal that reads back as the same float, never with an exponent. */
export function decimal(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  const at = text.indexOf('e');
  if (at < 0) return text;
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = text.slice(negative ? 1 : 0, at).split('.');
  const exponent = Number(text.slice(at + 1));
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const plain = point <= 0 ? `0.${'0'.repeat(-point)}${digits}` : digits.padEnd(point, '0');
  return negative ? `-${plain}` : plain;
}
