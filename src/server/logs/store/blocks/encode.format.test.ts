import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { unseal } from './bytes.ts';
import { encodeBlock } from './encode.ts';
import { FORMAT } from '../files/schema.ts';
import { orderOf } from './rows.ts';
import { rowsOf } from '../store.fixture.ts';

/**
 * The bytes of a block as this format has them; formats 1 and 2 had the same where all lies in the head, but no templates, and 3 no numbers
 * (docs/log-format.md). Where a change makes others that an earlier build would read wrongly, the format needs a new number,
 * and what has the old one has to be read.
 */
it('the bytes of a block are those of the format with this number', () => {
  const { rows } = rowsOf([
    { _time: '2026-01-01T00:00:00.000000001Z', _msg: 'began', level: 'INFO', n: 1, source: 'a' },
    { _time: '2026-01-01T00:00:01Z', _msg: 'ended ä', level: 'INFO', n: 'x', source: 'a' },
    ...Array.from({ length: 8 }, (_, i) => ({
      _time: '2025-12-31T23:59:59Z',
      _msg: `late ${i}`,
      level: i % 2 ? 'WARN' : 'INFO',
      ok: i > 4,
      source: 'a',
    })),
  ]);
  const { head, columns, bloom } = encodeBlock(rows, orderOf(rows), 1, 'batch');
  expect({
    format: FORMAT,
    columns: columns.length,
    bloom: bloom.map((piece) => hash('sha256', piece)),
    head: unseal(head).toString('hex'),
  }).toEqual({
    format: 4,
    columns: 0,
    bloom: ['41ee7d96afe1041aedc646c4b1977a0aea4b4106a5d43b0b7284573d95108d16'],
    head: HEAD,
  });
});

it('the bytes of a column of templates are those of the format with this number', () => {
  const lines = Array.from({ length: 40 }, (_, i) => ({
    _time: `2026-01-01T00:00:${i + 10}Z`,
    _msg: i % 5 === 0 ? `ended at ${i * 100_000_007} with 0${i}` : `began run ${i * i * 300}: ä`,
  }));
  const { rows } = rowsOf(lines);
  expect(unseal(encodeBlock(rows, orderOf(rows), 1, 'whole').head).toString('hex')).toBe(TEMPLATES);
});

it('the bytes of a column of numbers are those of the format with this number', () => {
  const lines = Array.from({ length: 20 }, (_, i) => ({
    _time: `2026-01-01T00:00:${i + 10}Z`,
    ...(i % 7 === 3 ? {} : { ms: i * 12.75 - 20, cost: `${i}.${i + 10}` }),
  }));
  const { rows } = rowsOf(lines);
  expect(unseal(encodeBlock(rows, orderOf(rows), 1, 'whole').head).toString('hex')).toBe(NUMBERS);
});

const NUMBERS =
  '140035006b90df252c000000a0bcd6edee66d00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00f00001d008d9bd50f14000000000000000000000000000000' +
  '000000000000000003026d730501003500888bd07f2c000000049f1f0201fcf700ede8e3ded9d400cac5c0bbb6b100a7a20004090013181d22272c00363b40454a4f00595e04636f73740500003400cb' +
  '9af65f2b0000000514020166cb0095fa5fc4298e0058bd2287ec51001b800000000001010202030300040405050506000707075f73747265616d0000000b0043bfa6a3020000007b7d';
const TEMPLATES =
  '28005d0047f434b454000000a0bcd6edee66d00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00fd00f' +
  'd00fd00fd00fd00fd00fd00fd00fd00f00003100b13dece9280000000000000000000000000000000000000000000000000000000000000000000000000000000000000002045f6d73670400006a00aa' +
  '2185916100000001280001010101000101010102010101010201010101020101010102010101010201010101020101010103110f1232656e646564206174203020776974682030626567616e2072756e' +
  '20303a20c3a4656e6465642061742030302077697468203000bb01008f755eecb20000000304009a06e216e996d26652cd322672165066121612d4d236f206573652c692db320632b65ec65236720001' +
  '090e17d05564768a4cb9d4f1113d577ea7592db6e91d551eca08488b0e1862aefcffa0f64ea800000000006c00000000950000000190010101038b03030404860405050581060606067b070708080000' +
  '00000024000000000c000000000f000000001200000000150000000018000000001b00000000010a0f00050005000501787d82878c91075f73747265616d0000000b0043bfa6a3020000007b7d';
const HEAD =
  '0a001a0011e4191411000000b090d5edee6600000000000000d00fd00f010031002f3d462528000000000000000000000000000000000000000000000000000000000000000000000001000000000000' +
  '000013009e898e8b0a0000000400000000000000130006056c6576656c01000020003f3a1418170000000a0001000100010001000002040408494e464f5741524e016e0102001d00bb75bd5614000000' +
  '0a0000000000000000010203000101023178010206736f757263650000000a0043beb7e80100000061045f6d7367030000530014646b524a000000010a060606060606060605083d6c61746520306c61' +
  '746520316c61746520326c61746520336c61746520346c61746520356c61746520366c6174652037626567616e656e64656420c3a4075f73747265616d000000150048a19e4c0c0000007b736f757263' +
  '653d2261227d026f6b0101002200e175c1d0190000000a01010101010202020000030005040966616c736574727565';
